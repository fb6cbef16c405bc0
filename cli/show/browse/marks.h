#pragma once

// Results that the user has marked, of one question or of several.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/types/search_types.h"

namespace recall {

struct MarkedPlace {
  std::string citation;  // a target of `get`, on one line
  std::string path;      // of the document
  uint32_t line = 1;     // that is opened

  bool operator==(const MarkedPlace&) const = default;
};

// What is printed of a hit: "path:first-last", or the path of a whole document.
std::string CitationOf(const SearchHit& hit);
MarkedPlace PlaceToMark(const SearchHit& hit);

bool IsMarked(std::span<const MarkedPlace> marks, const SearchHit& hit);
// Marks the hit, or no longer.
void ToggleMark(std::vector<MarkedPlace>& marks, const SearchHit& hit);
// Marks all of the hits; if all are marked, none of them. Other marks stay.
void ToggleMarks(std::vector<MarkedPlace>& marks, std::span<const SearchHit> hits);

}  // namespace recall
