#pragma once

// Values of a tape, read without the tape's tolerance: what these functions accept, RFC 8259
// allows.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "index/base/json/json_tape.h"

namespace recall {

// Decodes what stands between the quotes of a string or a name. Returns: a view into `raw`, or into
// *scratch if there are escapes; *scratch is empty if not. nullopt for an unknown escape, half of a
// surrogate pair, a control character, and for bytes that are no UTF-8.
std::optional<std::string_view> ExactJsonText(std::string_view raw, std::string* scratch);

// Returns: a number that consists of digits, below 2^31; nullopt for all other values.
std::optional<uint32_t> ExactJsonCount(TapeValue value);

// Returns: the nearest double of a number; nullopt for all other values, and for an infinite one.
std::optional<double> ExactJsonNumber(TapeValue value);

}  // namespace recall
