#pragma once

#include <string>

#include "index/ingest/archive_source.h"
#include "index/ingest/missing_files.h"

namespace recall {

// MissingFiles for documents that may be members of archives. A member is gone when its archive was
// read to the end and has no member of its name, though globs and ignores would let it be found; or
// when the archive itself is gone. Of an archive that was not opened, or not to its end, no member
// is. Not thread-safe.
class MissingMembers final {
 public:
  // Of the same walk; all must outlive it.
  MissingMembers(MissingFiles* files, const ArchiveListings* archives, const WalkOptions& options,
                 const std::string& store_root);

  bool IsMissing(const std::string& doc_path);

 private:
  MissingFiles* files_;
  const ArchiveListings* archives_;
  PathFilter filter_;
  const std::string& store_root_;
};

}  // namespace recall
