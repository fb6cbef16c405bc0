#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The lines first .. last of a document, counted from 1.
struct LineRange {
  uint64_t first = 1;
  std::optional<uint64_t> last;  // unset: to the end of the document
  bool valid = true;             // false: line 0, no lines, or the last line before the first

  bool operator==(const LineRange&) const = default;
};

// A reference to a document or to lines of it, as answers print it and users type it.
struct TextReference {
  std::string path;
  // The first digits of a hash, in lower case: of the lines (HashOfLines), or of the whole text
  // (doc.hash) if there are no lines. "" in a reference that is not exact.
  std::string hash;
  std::optional<LineRange> lines;  // unset: the whole document
  // A place in the file that the text was extracted from: "p12", "Costs!B4:F9"; "": none.
  std::string place = {};

  bool operator==(const TextReference&) const = default;
};

// The number of digits of a hash in printed citations, and the smallest number in a reference.
inline constexpr size_t kCitedHashDigits = 12;
inline constexpr size_t kLeastHashDigits = 8;

// Returns: what `target` can mean, the most literal reading first. The first reading is always the
// whole text as a path, because a path may contain colons, brackets and at signs. The others are
//
//   path:9-17          lines 9 to 17, as answers print them; path:9- to the end, path:9 one line
//   path:9:17          17 lines from line 9
//   path:L9-L17, path#L9-L17
//                      lines 9 to 17, as addresses of code hosts have them
//   path@1f0c39ab66e2:9-17, path@1f0c39ab66e2
//                      the same lines, or document, only with the text that has this hash
//   path@p12, path@slide7, path@Costs!B4:F9
//                      what was extracted from this place of the file (docs/formats.md)
//   path#install       the place "#install": a section of Markdown, or an element
//   [path:9-17 (p. 12)] Title
//                      any of these as `context` prints it, with or without place and heading
std::vector<TextReference> ReadingsOf(std::string_view target);

// Whether `target` looks like an exact citation whose hash has too few digits: "path@1f0c:9-17".
bool HasTooShortHash(std::string_view target);

// Returns: "path@hash:9-17", the exact citation of lines; "path@hash" without lines. `hash` is cut
// to kCitedHashDigits.
std::string ExactCitation(std::string_view path, std::string_view hash,
                          const std::optional<LineRange>& lines);

}  // namespace recall
