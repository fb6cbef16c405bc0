#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/base/glob/path_filter.h"
#include "index/source/archive/archive_reader.h"
#include "index/write/ingest/ingest_source.h"

namespace recall {

// The names of the members of an archive.
struct ArchiveListing {
  // The names of all members but directories, each with the index of the last member of that name.
  std::unordered_map<std::string, int64_t> members;
  bool complete = false;  // whether it was read to its end without a fault
};
// Whether a member, or a directory that it is in, is hidden.
bool IsHiddenMember(std::string_view name);

using ArchiveListings = std::map<std::string, ArchiveListing, std::less<>>;  // by doc path

// The files that a walk found, with archives replaced by their members in archive order. Each
// archive is read twice: first for its names, because of several members with one name only the
// last counts, and then for its texts, one at a time.
//
// Members that globs or ignores exclude, and hidden ones (IsHiddenMember) without
// WalkOptions::hidden, are left out without a message; the latter are counted. Other members that
// are not regular files, or whose names cannot be document paths, are skipped with the reason. A
// fault of an archive as a whole is one failure; members before the damage become documents.
class FilesAndArchives final : public IngestSource {
 public:
  // The arguments must outlive the source.
  FilesAndArchives(const std::vector<FoundFile>* files, const WalkOptions& walk,
                   const BuildOptions* options, const std::atomic<bool>* cancel);

  // Errors: Cancelled.
  Result<std::optional<Item>> Next() override;
  bool repeats_paths() const override { return true; }

  // The number of hidden members that were left out so far.
  int64_t hidden_members() const { return hidden_members_; }

  // The listings of the archives that were opened so far.
  const ArchiveListings& listings() const { return listings_; }

 private:
  ArchiveLimits Limits() const { return {options_->max_file_bytes, options_->max_archive_bytes}; }
  Result<std::optional<Item>> Enter(const FoundFile& file);
  Result<ArchiveListing> ListNames(const std::string& path) const;
  Result<std::optional<Item>> NextMember();
  std::optional<Item> TakeMember(const ArchiveMember& member);
  Item Leave(const Status& fault);
  Item DocumentOf(std::string doc_path, const ArchiveMember& member, std::string text) const;

  const std::vector<FoundFile>* files_;
  PathFilter filter_;
  bool hidden_;
  int64_t hidden_members_ = 0;
  const BuildOptions* options_;
  const std::atomic<bool>* cancel_;
  size_t next_ = 0;
  ArchiveListings listings_;
  // The archive that is being read; null if none.
  std::unique_ptr<MemberReader> reader_;
  std::string archive_;  // its document path
  int64_t number_ = 0;   // index of the next member
};

}  // namespace recall
