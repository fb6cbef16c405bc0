#pragma once

// The interface of a fuzz target. There is one source file per entry point that accepts untrusted
// bytes. It defines FuzzOne, which must return for every input, and aborts the program
// (RECALL_CHECK) if an invariant is violated. The caller is fuzz_main.cc by default, libFuzzer with
// RECALL_LIBFUZZER.

#include <cstddef>
#include <cstdint>

#include "storage/base/bytes.h"
#include "storage/base/check.h"

namespace recall {

void FuzzOne(ByteSpan input);

// The remaining bytes of `reader`.
inline ByteSpan TakeRest(ByteReader& reader) { return reader.ReadBytes(reader.remaining()); }

// Removes the next line from `text` and returns it without its newline. Splits a text input into
// fields.
inline std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n') < text.size() ? text.find('\n') : text.size();
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end < text.size() ? end + 1 : end);
  return line;
}

}  // namespace recall
