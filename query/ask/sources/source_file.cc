#include "query/ask/sources/source_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
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

bool MayBeRead(const std::string& path, const SourcePlaces& places) {
  if (places.below.empty()) return true;
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::weakly_canonical(places.below, error);
  if (error) return false;
  const std::filesystem::path file = std::filesystem::weakly_canonical(path, error);
  return !error && IsAtOrBelow(file.string(), directory.string());
}

// The files that may be read among those that a document, or an archive, may have been added from.
Result<std::vector<SourceCandidate>> FilesOf(const TextsAndFacts& texts, std::string_view doc_path,
                                             const SourcePlaces& places) {
  RECALL_ASSIGN(const std::vector<SourceRoot> roots, texts.ReadSourceRoots());
  std::vector<SourceCandidate> files = CandidatesOf(doc_path, places.store_root, roots);
  std::erase_if(files, [&](const SourceCandidate& file) { return !MayBeRead(file.path, places); });
  return files;
}

Result<std::string> ReadSource(const TextsAndFacts& texts, std::string_view doc_path,
                               const SourcePlaces& places, FileReader read) {
  const auto is_missing = [](const Result<std::string>& text) {
    return !text && text.error().code() == StatusCode::kNotFound;
  };
  Result<std::string> text = Fail(Status::NotFound("no such file"));
  RECALL_ASSIGN(const auto files, FilesOf(texts, doc_path, places));
  for (const SourceCandidate& candidate : files) {
    if (is_missing(text)) text = read(candidate.path);
  }
  const auto parts = SplitMemberPath(doc_path);
  if (!is_missing(text) || !parts) return text;
  RECALL_ASSIGN(const auto archives, FilesOf(texts, parts->archive, places));
  for (const SourceCandidate& archive : archives) {
    if (!is_missing(text)) break;
    text = ReadMember(archive.path, parts->member, {kMostBytes, kMostArchiveBytes});
  }
  return text;
}

}  // namespace

Result<std::string> ReadSourceText(const TextsAndFacts& texts, std::string_view doc_path,
                                   const SourcePlaces& places) {
  return ReadSource(texts, doc_path, places, &ReadText);
}

Result<std::string> ReadSourceBytes(const TextsAndFacts& texts, std::string_view doc_path,
                                    const SourcePlaces& places) {
  return ReadSource(texts, doc_path, places, &ReadBytes);
}

Result<bool> ArchiveExists(const TextsAndFacts& texts, std::string_view doc_path,
                           const SourcePlaces& places) {
  const auto parts = SplitMemberPath(doc_path);
  if (!parts) return false;
  RECALL_ASSIGN(const auto archives, FilesOf(texts, parts->archive, places));
  return std::ranges::any_of(archives, [](const SourceCandidate& candidate) {
    struct stat info {};
    return ::stat(candidate.path.c_str(), &info) == 0;
  });
}

}  // namespace recall
