#include "cli/show/browse/marks.h"

#include <algorithm>

#include "cli/show/browse/hit_text.h"
#include "cli/show/output/text_output.h"

namespace recall {

std::string CitationOf(const SearchHit& hit) {
  if (hit.chunk.end_line != 0) return TargetOf(hit);
  return EscapeLine(hit.doc.path) == hit.doc.path ? hit.doc.path : "id:" + hit.doc.id;
}

MarkedPlace PlaceToMark(const SearchHit& hit) {
  return {.citation = CitationOf(hit), .path = hit.doc.path, .line = BestLine(hit)};
}

bool IsMarked(std::span<const MarkedPlace> marks, const SearchHit& hit) {
  if (marks.empty()) return false;
  return std::ranges::find(marks, CitationOf(hit), &MarkedPlace::citation) != marks.end();
}

void ToggleMark(std::vector<MarkedPlace>& marks, const SearchHit& hit) {
  const auto old = std::ranges::find(marks, CitationOf(hit), &MarkedPlace::citation);
  if (old != marks.end()) {
    marks.erase(old);
  } else {
    marks.push_back(PlaceToMark(hit));
  }
}

void ToggleMarks(std::vector<MarkedPlace>& marks, std::span<const SearchHit> hits) {
  const bool all =
      std::ranges::all_of(hits, [&](const SearchHit& hit) { return IsMarked(marks, hit); });
  for (const SearchHit& hit : hits) {
    if (IsMarked(marks, hit) == all) ToggleMark(marks, hit);
  }
}

}  // namespace recall
