#pragma once

// Searches the rows of a table of documents.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/sqlite/answer_rows.h"
#include "cli/sqlite/documents_store.h"
#include "cli/sqlite/shadow_rows.h"
#include "storage/base/result.h"

namespace recall {

inline constexpr int64_t kDefaultDocuments = 8;

struct DocumentQuery {
  std::optional<std::string> text;  // not set: there are no hits
  int64_t count = kDefaultDocuments;
  std::optional<std::string> filter;
  std::string options;  // a JSON object with more members of the request, or ""
};

// The best chunk of each document that was found, best first.
class DocumentHits final {
 public:
  size_t size() const { return best_.size(); }
  const std::string& path(size_t hit) const { return best_[hit].path; }
  // As AnswerRows::SetColumn.
  void SetColumn(sqlite3_context* context, size_t hit, std::string_view place) const {
    rows_.SetColumn(context, best_[hit].row, place);
  }

  // Reads the answer of a search. `most`: documents to keep. Returns: the number of its results.
  size_t Read(std::string answer, size_t most);

 private:
  struct Best {
    std::string path;
    size_t row = 0;
  };

  AnswerRows rows_;
  std::vector<Best> best_;
};

// The number of documents that LIMIT and OFFSET ask for: at most as many as a search may give.
// Without OFFSET `offset` is 0.
int64_t CountOfLimit(int64_t limit, int64_t offset);

// `uncommitted`: as DocumentsStore::Read. Errors: as there.
Result<std::unique_ptr<DocumentHits>> SearchDocuments(DocumentsStore& store, ShadowRows& rows,
                                                      const DocumentQuery& query, bool uncommitted);

}  // namespace recall
