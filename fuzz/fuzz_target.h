#pragma once

// One file per entry point that takes bytes nobody vouched for. Each defines FuzzOne, which must
// return for every input and stops the program (RECALL_CHECK) when a promise is broken. Who calls
// it depends on the build: fuzz_main.cc by default, libFuzzer with RECALL_LIBFUZZER.

#include <cstddef>
#include <cstdint>

#include "storage/base/bytes.h"
#include "storage/base/check.h"

namespace recall {

void FuzzOne(ByteSpan input);

// All that `reader` has left.
inline ByteSpan TakeRest(ByteReader& reader) { return reader.ReadBytes(reader.remaining()); }

// The next line, without its end: how a text input is split into fields.
inline std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n') < text.size() ? text.find('\n') : text.size();
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end < text.size() ? end + 1 : end);
  return line;
}

}  // namespace recall
