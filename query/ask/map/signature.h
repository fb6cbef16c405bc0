#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/tables/symbol.h"

namespace recall {

// A line of a document.
struct SignatureLine {
  uint32_t number = 0;  // from 1
  std::string text;     // without white space at its end; long ones are cut
};

inline constexpr size_t kMostSignatureBytes = 160;  // of a line
inline constexpr size_t kMostSignatureLines = 4;

// The lines of a definition up to where its body begins, at least one: whole lines, so `{` may end
// the last one, and a body may follow in it. Decorators, attributes and `template` above the line
// with the name are left out.
//   path: the extension says whether a signature can go on in the next line.
//   lines: the lines of the definition, with newlines; the first is `symbol.start_line`.
std::vector<SignatureLine> SignatureOf(std::string_view path, std::string_view lines,
                                       const Symbol& symbol);

}  // namespace recall
