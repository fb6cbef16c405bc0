#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "storage/base/clock.h"
#include "storage/notes/link_origin.h"

namespace recall {

// A link from path to path.
struct LinkRecord {
  std::string source;
  std::string target;
  std::string relation;
  double weight = 1;  // 0 to 1
  std::optional<std::string> reason = {};
  std::string origin = std::string(kUserLink);
  UnixNanos at = 0;
  // The live documents at the two paths; unset if there is none: the end is missing.
  std::optional<int64_t> source_row = {};
  std::optional<int64_t> target_row = {};
};

}  // namespace recall
