#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/maintenance_types.h"
#include "storage/base/json_writer.h"

namespace recall {

struct OwnerPages {
  std::string_view name;
  int64_t pages = 0;
  int64_t bytes = 0;
};
// Returns: one element for each of kPageOwners; all 0 if the report has no map.
std::vector<OwnerPages> PagesByOwner(const InspectReport& report);
// Returns: the file in cells of this number of pages: for each the owner, an index in kPageOwners,
// of most of its pages.
std::vector<size_t> PageMapCells(const InspectReport& report, int64_t pages_per_cell);
// Returns: the spaces, with the active one before the others.
std::vector<InspectReport::Space> ActiveFirst(std::vector<InspectReport::Space> spaces);
std::string HexChecksum(uint32_t value);

struct InspectStyle {
  bool stable = false;   // without the values that differ from run to run
  bool verbose = false;  // with the sections of segments and their checksums
  bool utf8 = false;     // bars of block elements
};

// Write the structure of the file, as the JSON object `inspect` and as text.
void WriteFields(const InspectReport& report, const std::string& path, JsonWriter& json);
std::string FormatInspectReport(const InspectReport& report, const std::string& path,
                                const InspectStyle& style);

}  // namespace recall
