#include "index/write/ingest/missing_members.h"

#include "index/source/archive/archive_names.h"
#include "storage/tables/doc_origin.h"

namespace recall {

MissingMembers::MissingMembers(MissingFiles* files, const ArchiveListings* archives,
                               const WalkOptions& options)
    : files_(files),
      archives_(archives),
      filter_(options.globs, options.ignores),
      hidden_(options.hidden) {}

bool MissingMembers::IsMissing(const std::string& doc_path, std::string_view origin) {
  if (origin == kFileOrigin) return files_->IsMissing(doc_path);
  const auto parts = SplitMemberPath(doc_path);
  if (origin != kMemberOrigin || !parts) return false;
  // A file may exist in a directory whose name looks like an archive.
  if (files_->FileExists(doc_path)) return false;
  const auto archive = archives_->find(parts->archive);
  if (archive == archives_->end()) return false;
  const ArchiveListing& listing = archive->second;
  // What is attached to a message is there as long as the message is: "ID.eml!/report.pdf".
  const std::string_view message = parts->member.substr(0, parts->member.find("!/"));
  if (listing.members.contains(std::string(message))) return false;
  return listing.complete && filter_.KeepsFile(doc_path, parts->member) &&
         (hidden_ || !IsHiddenMember(parts->member)) &&
         !listing.members.contains(std::string(parts->member));
}

}  // namespace recall
