#include "query/ask/answer/source_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/base/paths/source_files.h"
#include "index/source/archive/archive_names.h"
#include "index/source/archive/archive_reader.h"
#include "index/write/ingest/mailbox_members.h"
#include "index/write/ingest/text_file.h"

namespace recall {
namespace {

// The source file may now be larger than what `add` accepts; it only has to be read.
constexpr uint64_t kMostBytes = uint64_t{4} << 30;
constexpr uint64_t kMostArchiveBytes = uint64_t{1} << 40;

using FileReader = Result<std::string> (*)(const std::string& path);

Result<std::string> ReadText(const std::string& path) { return ReadTextFile(path, kMostBytes); }

Result<std::string> ReadBytes(const std::string& path) { return ReadFileBytes(path, kMostBytes); }

Result<std::string> ReadSource(const TextsAndFacts& texts, std::string_view doc_path,
                               const std::string& store_root, FileReader read) {
  RECALL_ASSIGN(const std::vector<SourceRoot> roots, texts.ReadSourceRoots());
  const auto is_missing = [](const Result<std::string>& text) {
    return !text && text.error().code() == StatusCode::kNotFound;
  };
  Result<std::string> text = Fail(Status::NotFound("no such file"));
  for (const SourceCandidate& candidate : CandidatesOf(doc_path, store_root, roots)) {
    if (is_missing(text)) text = read(candidate.path);
  }
  const auto parts = SplitMemberPath(doc_path);
  if (!is_missing(text) || !parts) return text;
  for (const SourceCandidate& archive : CandidatesOf(parts->archive, store_root, roots)) {
    if (!is_missing(text)) break;
    text = ReadMember(archive.path, parts->member, {kMostBytes, kMostArchiveBytes});
  }
  return text;
}

}  // namespace

Result<std::string> ReadSourceText(const TextsAndFacts& texts, std::string_view doc_path,
                                   const std::string& store_root) {
  return ReadSource(texts, doc_path, store_root, &ReadText);
}

Result<std::string> ReadSourceBytes(const TextsAndFacts& texts, std::string_view doc_path,
                                    const std::string& store_root) {
  return ReadSource(texts, doc_path, store_root, &ReadBytes);
}

Result<bool> ArchiveExists(const TextsAndFacts& texts, std::string_view doc_path,
                           const std::string& store_root) {
  const auto parts = SplitMemberPath(doc_path);
  if (!parts) return false;
  RECALL_ASSIGN(const std::vector<SourceRoot> roots, texts.ReadSourceRoots());
  return std::ranges::any_of(CandidatesOf(parts->archive, store_root, roots),
                             [](const SourceCandidate& candidate) {
                               struct stat info {};
                               return ::stat(candidate.path.c_str(), &info) == 0;
                             });
}

}  // namespace recall
