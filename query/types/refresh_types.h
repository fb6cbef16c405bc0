#pragma once

// Requests of Database::Refresh.

#include <string>
#include <vector>

#include "query/types/add_types.h"
#include "query/types/source_check.h"

namespace recall {

struct RefreshRequest {
  AddRequest like;  // how files are read; without paths
  SourceCheck check;
  // If it is not empty, only documents of files at or below these directories are looked at, and
  // files there that belong to them are added, too (query/add/documents/new_files.h). A deleted
  // file is then one that does not exist, even if its directory does not either.
  std::vector<std::string> below = {};
  // Nobody watches: documents of files elsewhere are looked at, too, and new files only at or below
  // `below`. A document is then not removed if the nearest directory of its file that exists is
  // empty, because a disk may not be mounted there.
  bool unattended = false;
};

}  // namespace recall
