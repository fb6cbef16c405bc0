#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/archive/archive_reader.h"
#include "index/glob/path_filter.h"
#include "index/ingest/ingest_source.h"

namespace recall {

// What is known of an archive once it has been read.
struct ArchiveListing {
  // Names of all members that are no directories, each with the number of the last of that name.
  std::unordered_map<std::string, int64_t> members;
  bool complete = false;  // read to its end without a fault
};
using ArchiveListings = std::map<std::string, ArchiveListing, std::less<>>;  // by doc path

// Files that a walk found, and in place of those that are archives their members, in the order in
// which they lie there. Each archive is read twice: first for its names, since of members with one
// name only the last counts, then for its texts, one at a time.
//
// Members that globs and ignores leave out are not looked at; others that are no regular files, or
// have names that no document may have, are skipped with the reason. What is wrong with an archive
// as a whole is one failure; members before the damage are documents all the same.
class FilesAndArchives final : public IngestSource {
 public:
  // All must outlive it.
  FilesAndArchives(const std::vector<FoundFile>* files, const WalkOptions& walk,
                   const BuildOptions* options, const std::atomic<bool>* cancel);

  // Errors: Cancelled.
  Result<std::optional<Item>> Next() override;
  bool repeats_paths() const override { return true; }

  // Of the archives come by so far.
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
  const BuildOptions* options_;
  const std::atomic<bool>* cancel_;
  size_t next_ = 0;
  ArchiveListings listings_;
  // The archive that is being read, if any.
  std::unique_ptr<ArchiveReader> reader_;
  std::string archive_;  // its doc path
  int64_t number_ = 0;   // of the member that comes next
};

}  // namespace recall
