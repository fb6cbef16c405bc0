#include "index/ingest/missing_members.h"

#include <sys/stat.h>

#include "index/archive/archive_names.h"
#include "index/paths/doc_path.h"

namespace recall {

MissingMembers::MissingMembers(MissingFiles* files, const ArchiveListings* archives,
                               const WalkOptions& options, const std::string& store_root)
    : files_(files),
      archives_(archives),
      filter_(options.globs, options.ignores),
      hidden_(options.hidden),
      store_root_(store_root) {}

bool MissingMembers::IsMissing(const std::string& doc_path) {
  const auto parts = SplitMemberPath(doc_path);
  if (!parts) return files_->IsMissing(doc_path);
  // A file may exist in a directory whose name looks like an archive.
  struct stat info;
  if (::lstat(FilePathOf(doc_path, store_root_).c_str(), &info) == 0) return false;
  const auto archive = archives_->find(parts->archive);
  if (archive == archives_->end()) return files_->IsMissing(parts->archive);
  const ArchiveListing& listing = archive->second;
  return listing.complete && filter_.KeepsFile(doc_path, parts->member) &&
         (hidden_ || !IsHiddenMember(parts->member)) &&
         !listing.members.contains(std::string(parts->member));
}

}  // namespace recall
