#pragma once

#include <string>

#include "index/ingest/archive_source.h"
#include "index/ingest/missing_files.h"

namespace recall {

// MissingFiles for documents that may be members of archives. A member is missing if its archive
// was read completely and has no member of its name, although globs, ignores and
// WalkOptions::hidden permit it, or if the archive itself is missing. If an archive was not opened
// or not read completely, none of its members is missing. Not thread-safe.
class MissingMembers final {
 public:
  // The arguments must be of the same walk; all must outlive it.
  MissingMembers(MissingFiles* files, const ArchiveListings* archives, const WalkOptions& options,
                 const std::string& store_root);

  bool IsMissing(const std::string& doc_path);

 private:
  MissingFiles* files_;
  const ArchiveListings* archives_;
  PathFilter filter_;
  bool hidden_;
  const std::string& store_root_;
};

}  // namespace recall
