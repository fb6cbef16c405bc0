#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace recall {

// Begins the first line of each dump.
inline constexpr std::string_view kDumpBegin = "0000000";

// The bytes of a dump, as `hexdump -C`, `xxd` and `od -c` print it.
struct DumpedText {
  std::string bytes;
  size_t end = 0;  // of its last line
  // For each byte, the range of the line that it is written in, without the number of the line.
  std::vector<std::pair<size_t, size_t>> lines;
};

// Returns: the dump of which the first line begins at `at`; empty if there is none. Cost: linear in
// its size.
DumpedText ReadDump(std::string_view text, size_t at);

}  // namespace recall
