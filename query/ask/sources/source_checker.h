#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/paths/source_files.h"
#include "index/search/snapshot/texts_and_facts.h"
#include "query/types/source_check.h"
#include "storage/base/result.h"

namespace recall {

// The most bytes that are read for one answer: of files with another time than the recorded one,
// and of files of which only the inode was changed since.
inline constexpr uint64_t kMostComparedBytes = uint64_t{64} << 20;
inline constexpr uint64_t kMostDoubtedBytes = uint64_t{4} << 20;

// Says of documents that are about to be shown whether their sources are still what was added.
// Reads the file system, so the same store may get other states; nothing is ranked by them. Each
// document is looked at once. Not thread-safe.
class SourceChecker final {
 public:
  // `texts` must outlive the checker. `store_root`: the directory of the store, absolute; empty if
  // there is none, and then every document is current.
  SourceChecker(const TextsAndFacts& texts, std::string store_root)
      : texts_(texts), store_root_(std::move(store_root)) {}
  SourceChecker(const SourceChecker&) = delete;
  SourceChecker& operator=(const SourceChecker&) = delete;

  // The state of a document version of the snapshot. A file that cannot be read says nothing.
  // Errors: those of reading the store.
  Result<SourceState> StateOf(const DocRow& doc, const SourceCheck& check);

  // The files and roots that were looked at so far, and what they were like.
  const std::vector<CheckedFile>& files() const { return files_; }

 private:
  enum class Finding : uint8_t { kSame, kDiffers, kMissing, kUnknown };

  Result<SourceState> Look(const DocRow& doc, const SourceCheck& check);
  Result<SourceState> LookAtFile(const DocRow& doc, const SourceCheck& check);
  Result<SourceState> LookAtArchive(const DocRow& doc, const SourceCheck& check);
  Result<SourceState> LookAtParent(const DocRow& doc, const SourceCheck& check);
  Result<Finding> Compare(const DocRow& doc, const std::string& path, const SourceCheck& check);
  Result<Finding> CompareContent(const DocRow& doc, const std::string& path, int64_t size,
                                 bool doubtful, const SourceCheck& check);
  Result<bool> HasOtherSize(const DocRow& doc, int64_t size);
  Result<bool> IsRedacted(const DocRow& doc);
  Result<bool> IsText(const DocRow& doc, const std::string& text, const SourceCheck& check);
  Result<bool> ChangedSince(const FileStamp& stamp, int64_t commit, int64_t margin);
  Result<bool> AreFilesHere(const DocRow& doc);
  bool IsFromHome(const DocRow& doc) const;
  Result<bool> AreOldFilesHere();
  Result<std::vector<SourceCandidate>> Candidates(std::string_view path);
  FileStamp Stamp(const std::string& path);

  const TextsAndFacts& texts_;
  const std::string store_root_;
  std::map<int64_t, SourceState> known_;  // by row
  std::optional<std::vector<SourceRoot>> roots_;
  std::map<int64_t, std::optional<UnixNanos>> commits_;  // times, by number
  std::optional<StoreHome> home_;           // with the identity "" if it is another directory
  std::optional<bool> old_files_are_here_;  // those of documents from before it
  uint64_t compared_left_ = kMostComparedBytes;
  uint64_t doubted_left_ = kMostDoubtedBytes;
  std::vector<CheckedFile> files_;
};

// The state of a document, as far as the request asks for it and there is a checker. `tools` are
// QueryDependencies.
template <typename Tools>
Result<SourceState> StateOfSource(const Tools& tools, const DocRow& doc, const SourceCheck& check) {
  if (tools.sources == nullptr) return SourceState::kCurrent;
  return tools.sources->StateOf(doc, check);
}

// What stat(2) says of a path; zeros if there is no regular file; a negative size and else zeros if
// that cannot be found out, as where a directory may not be searched. A path that ends with '/'
// means a directory, of which only the identity counts.
FileStamp StampOfFile(const std::string& path);

}  // namespace recall
