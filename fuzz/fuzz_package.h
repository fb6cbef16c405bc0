#pragma once

// Inputs for readers of ZIP packages that a mutator can change: a text of entries, each after a
// line
// "==> NAME". Input that does not begin with such a line is taken as the package itself.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "tests/index/source/extract/zip_maker.h"

namespace recall {

inline std::string PackageOf(ByteSpan input) {
  constexpr std::string_view kMark = "==> ";
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  if (!text.starts_with(kMark)) return std::string(text);
  std::vector<MadeZipEntry> entries;
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    if (line.starts_with(kMark)) {
      entries.push_back({std::string(line.substr(kMark.size())), ""});
    } else {
      entries.back().text.append(line).append("\n");
    }
  }
  return MakeZip(entries);
}

}  // namespace recall
