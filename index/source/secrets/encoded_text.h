#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recall {

// A part of a text, decoded.
struct DecodedPart {
  std::string text;
  size_t begin;                // of the part
  size_t end;                  // of the part
  std::vector<size_t> places;  // where the bytes of `text` begin, and the end; empty: not known

  // Returns: where text[from, to) is written; the whole part if that is not known.
  std::pair<size_t, size_t> Written(size_t from, size_t to) const;
};

// Visits the parts of a text that say something else once they are decoded: base64 and hexadecimal
// digits of ASCII text, and the surroundings of escapes (`\u0041`, `\x41`, `\/`, `%41`) and of
// colours (`ESC[32m`), which are left out. A
// part with escapes has at most 1 MiB and some, and may overlap the one before. Cost: linear.
void ForEachDecodedPart(std::string_view text,
                        const std::function<void(const DecodedPart&)>& visit);

}  // namespace recall
