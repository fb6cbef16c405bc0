#include "index/write/local/link_targets.h"

#include <optional>
#include <vector>

#include "index/source/note/note_draft.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/metadata/metadata_index.h"

namespace recall {
namespace {

constexpr std::string_view kSuffix = ".md";

std::string WithSuffix(std::string_view path) {
  return std::string(path) + (path.ends_with(kSuffix) ? "" : std::string(kSuffix));
}

// "notes/" for "notes/a.md"; "" at the top.
std::string_view DirectoryOf(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

Result<bool> IsLive(const ReadTransaction& transaction, std::string_view path) {
  RECALL_ASSIGN(const auto doc, FindLiveDoc(transaction, path));
  return doc.has_value();
}

// The first live note, by path, whose title is `title`.
Result<std::optional<std::string>> FindTitle(const ReadTransaction& transaction,
                                             std::string_view title) {
  std::vector<int64_t> rows;
  RECALL_TRY(
      ScanMetadataTexts(transaction, "title", kMetaText, RowUnit::kDocs,
                        {std::string(title), std::string(title) + '\0'},
                        [&](std::string_view, RowSpan span) { rows.push_back(span.first); }));
  std::optional<std::string> first;
  for (const int64_t row : rows) {
    RECALL_ASSIGN(const DocRow doc, ReadDoc(transaction, row));
    if (doc.parser == kNoteParser && (!first || doc.path < *first)) first = doc.path;
  }
  return first;
}

}  // namespace

Result<std::string> ResolveLinkTarget(const ReadTransaction& transaction, std::string_view path,
                                      std::string_view target) {
  const std::string directory(DirectoryOf(path));
  const std::string id = NoteIdOf(target);
  for (const std::string& candidate :
       {std::string(target), WithSuffix(target), directory + std::string(target),
        directory + WithSuffix(target), directory + WithSuffix(id), NotePathOf(id)}) {
    RECALL_ASSIGN(const bool live, IsLive(transaction, candidate));
    if (live) return candidate;
  }
  RECALL_ASSIGN(const auto titled, FindTitle(transaction, target));
  if (titled) return *titled;
  const bool is_path = target.ends_with(kSuffix) || target.find('/') != std::string_view::npos;
  return is_path ? WithSuffix(target) : directory + WithSuffix(id);
}

}  // namespace recall
