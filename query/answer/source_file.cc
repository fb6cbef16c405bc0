#include "query/answer/source_file.h"

#include <cstdint>

#include "index/archive/archive_names.h"
#include "index/archive/archive_reader.h"
#include "index/ingest/extract.h"
#include "index/paths/doc_path.h"

namespace recall {
namespace {

// The source file may now be larger than what `add` accepts; it only has to be read.
constexpr uint64_t kMostBytes = uint64_t{4} << 30;
constexpr uint64_t kMostArchiveBytes = uint64_t{1} << 40;

}  // namespace

Result<std::string> ReadSourceText(std::string_view doc_path, const std::string& store_root) {
  Result<std::string> text = ReadTextFile(FilePathOf(doc_path, store_root), kMostBytes);
  const auto parts = SplitMemberPath(doc_path);
  if (text || text.error().code() != StatusCode::kNotFound || !parts) return text;
  return ReadArchiveMember(FilePathOf(parts->archive, store_root), parts->member,
                           {kMostBytes, kMostArchiveBytes});
}

}  // namespace recall
