#pragma once

// Requests and reports of Database::Refresh.

#include <cstdint>
#include <string>
#include <vector>

#include "query/types/add_types.h"
#include "query/types/source_check.h"

namespace recall {

struct RefreshRequest {
  AddRequest like;  // how files are read; without paths
  SourceCheck check;
};

struct RefreshReport {
  int64_t updated = 0;                // documents that were added again
  int64_t removed = 0;                // documents whose files are deleted
  std::vector<std::string> warnings;  // of files that could not be added
};

}  // namespace recall
