#pragma once

#include <string>

#include "query/types/maintenance_types.h"

namespace recall {

// Returns: a page that shows the structure of a store: a map of the file by pages, who owns them,
// the tables, the vector spaces with the active one first, and the segments. `stable`: without the
// values that differ from run to run, such as the map.
std::string InspectPage(const InspectReport& report, const std::string& path, bool stable);

}  // namespace recall
