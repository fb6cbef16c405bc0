#pragma once

// Searches the rows of a table of documents.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "cli/sqlite/answer_rows.h"
#include "cli/sqlite/documents_store.h"
#include "cli/sqlite/shadow_rows.h"
#include "storage/base/result.h"

namespace recall {

struct DocumentQuery {
  std::optional<std::string> text;  // not set: nothing is found
  std::optional<int64_t> count;     // not set: as many as a search may give
  std::optional<std::string> filter;
  std::string options;  // a JSON object with members of the request that rank, or ""
};

// Errors: InvalidArgument for a text that is no such object.
Status CheckSearchOptions(const std::string& options);

// The documents that are found, best first. Belongs to the connection of its rows.
class DocumentSearch final {
 public:
  // The store and the rows must outlive it. Requires: CheckSearchOptions.
  DocumentSearch(DocumentsStore* store, ShadowRows* rows, DocumentQuery query)
      : store_(*store), rows_(*rows), query_(std::move(query)) {}

  // Moves to the next document; the first call moves to the best one. Returns: false if there are
  // no more. Errors: as DocumentsStore::Read, and InvalidArgument for a count that is too large.
  Result<bool> Next();

  // Of the present document.
  int64_t rank() const { return static_cast<int64_t>(given_.size()); }
  const std::string& path() const { return path_; }
  // As AnswerRows::SetColumn, of its best chunk.
  void SetColumn(sqlite3_context* context, std::string_view place) const {
    found_.SetColumn(context, next_ - 1, place);
  }

 private:
  Status FindMore();

  DocumentsStore& store_;
  ShadowRows& rows_;
  const DocumentQuery query_;
  int64_t asked_ = 0;  // chunks that were asked for
  bool all_ = false;   // there are no more
  AnswerRows found_;   // chunks
  size_t next_ = 0;    // of them
  std::string path_;
  std::unordered_set<std::string> given_;  // the documents up to the present one
};

}  // namespace recall
