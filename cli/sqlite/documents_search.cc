// The problem: a search ranks chunks, and a table has documents.
//
// The idea: ask for more chunks than documents, and for still more if too few documents are among
// them. A document ranks as its best chunk.

#include "cli/sqlite/documents_search.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "cli/options/settings/config.h"

namespace recall {

size_t DocumentHits::Read(std::string answer, size_t most) {
  best_.clear();
  rows_.Read(std::move(answer), "results");
  std::unordered_set<std::string> known;
  for (size_t row = 0; row < rows_.size() && best_.size() < most; ++row) {
    std::string path = rows_.TextAt(row, "doc.path");
    if (known.insert(path).second) best_.push_back({std::move(path), row});
  }
  return rows_.size();
}

int64_t CountOfLimit(int64_t limit, int64_t offset) {
  const int64_t most = Config().max_limit;
  if (limit < 0 || limit > most || offset > most) return most;
  return std::min(most, limit + std::max<int64_t>(offset, 0));
}

Result<std::unique_ptr<DocumentHits>> SearchDocuments(DocumentsStore& store, ShadowRows& rows,
                                                      const DocumentQuery& query,
                                                      bool uncommitted) {
  auto hits = std::make_unique<DocumentHits>();
  if (!query.text || query.count == 0) return hits;
  const int64_t most = Config().max_limit;
  if (query.count > most) {
    return Fail(Status::InvalidArgument("k exceeds " + std::to_string(most)));
  }
  for (int64_t chunks = std::min(most, 2 * query.count + 8);;) {
    // Rows with the same text are rows.
    LibraryRequest request{
        .command = "search",
        .body = query.options,
        .texts = {{"query", *query.text}, {"k", std::to_string(chunks)}, {"identical", "keep"}}};
    if (query.filter) request.texts.emplace_back("filter", *query.filter);
    RECALL_ASSIGN(CallAnswer answer, store.Read(rows, request, uncommitted));
    const size_t found = hits->Read(std::move(answer.output), static_cast<size_t>(query.count));
    const bool all = found < static_cast<size_t>(chunks) || chunks == most;
    if (all || hits->size() == static_cast<size_t>(query.count)) return hits;
    chunks = std::min(most, 4 * chunks);
  }
}

}  // namespace recall
