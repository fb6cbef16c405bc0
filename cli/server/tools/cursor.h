#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The place in an answer at which the next part begins. It grants nothing: a request with a cursor
// is checked as any other.
struct Cursor {
  uint32_t fingerprint = 0;  // of the arguments that it belongs to (ToolArguments::Fingerprint)
  uint64_t offset = 0;       // results before the place; of a text, bytes
  std::string snapshot;      // the commit that the answer was read from; "" if not needed
  std::vector<std::string> targets;  // of `get`: those still to be read

  bool operator==(const Cursor&) const = default;
};

// The form that clients see: base64url of
//   fingerprint, CRC-32C of the rest  uint32, little-endian
//   offset                            varint
//   snapshot, targets                 each followed by a zero byte
std::string EncodeCursor(const Cursor& cursor);
// Returns: nullopt for a text that EncodeCursor did not make.
std::optional<Cursor> DecodeCursor(std::string_view text);

}  // namespace recall
