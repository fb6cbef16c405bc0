#pragma once

#include <string>

#include <string>
#include <string_view>

#include "index/write/ingest/archive_source.h"
#include "index/write/ingest/missing_files.h"

namespace recall {

// MissingFiles for documents of all origins. A file is missing as in MissingFiles. A member is
// missing if its archive was read completely and has no member of its name, although globs, ignores
// and WalkOptions::hidden permit it: if an archive does not exist, was not opened or was not read
// completely, none of its members is missing. Other documents never are. Not thread-safe.
class MissingMembers final {
 public:
  // The arguments must be of the same walk; all must outlive it.
  MissingMembers(MissingFiles* files, const ArchiveListings* archives, const WalkOptions& options);

  // `origin`: DocRow::origin.
  bool IsMissing(const std::string& doc_path, std::string_view origin);

 private:
  MissingFiles* files_;
  const ArchiveListings* archives_;
  PathFilter filter_;
  bool hidden_;
};

}  // namespace recall
