#pragma once

// Reads vectors in the JSON formats of other programs, and writes requests to them.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The maximum dimension of vectors of external embedders.
inline constexpr uint32_t kMostEmbeddingDim = 4096;

// Appends `{"text": ...}` and a newline. Invalid UTF-8 becomes U+FFFD.
void AppendTextLine(std::string_view text, std::string* out);

// Reads an array of numbers in the range of float. Errors: IoError; the message does not name the
// source of the vector.
Status ReadVector(const nlohmann::json& value, std::vector<float>* vector);
// Reads a line of JSON: the array, or an object with the array as "embedding".
Status ReadVectorLine(std::string_view line, std::vector<float>* vector);

// Copies `from`, divided by its length; a zero vector stays zero. Errors: InvalidArgument if its
// dimension differs from that of `to`.
Status CopyUnitVector(std::span<const float> from, std::span<float> to);

// The version string of an embedder whose weights are not accessible: "1-" (`version`) and 16
// hexadecimal digits of the hash of `text`.
std::string VersionOfText(std::string_view version, std::string_view text);

}  // namespace recall
