#pragma once

// Vectors as other programs write them.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// An embedder of another program gives no longer vectors.
inline constexpr uint32_t kMostEmbeddingDim = 4096;

// `{"text": ...}` and a newline. Bytes that are no UTF-8 become U+FFFD.
void AppendTextLine(std::string_view text, std::string* out);

// An array of numbers that a float can hold. Errors: IoError; it says what is wrong, not where.
Status ReadVector(const nlohmann::json& value, std::vector<float>* vector);
// A line of JSON: the array, or an object that has it as "embedding".
Status ReadVectorLine(std::string_view line, std::vector<float>* vector);

// Copies `from`, divided by its length; a vector of zeros stays. InvalidArgument when it has
// another dimension than `to`.
Status CopyUnitVector(std::span<const float> from, std::span<float> to);

// "1-" (`version`) and 16 hexadecimal digits of the hash of `text`: what an embedder whose weights
// nobody here can see calls its version.
std::string VersionOfText(std::string_view version, std::string_view text);

}  // namespace recall
