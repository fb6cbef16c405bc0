#pragma once

// JSON as a tree whose members keep the order in which they are written.
//
// nlohmann::ordered_json compares each name with those before it, when it parses: an object of
// 100,000 members, which fits into a request of 1 MiB, takes 20 s. Here members are appended, and
// names that occur twice are looked for when an object ends. The cost is O(n log n) in the members,
// and linear in the text otherwise.

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Reading stops at the first value beyond a limit.
struct JsonLimits {
  size_t depth = std::numeric_limits<size_t>::max();   // of arrays and objects
  size_t values = std::numeric_limits<size_t>::max();  // arrays, objects, and values in them
};

enum class JsonFault { kInvalid, kTooDeep, kTooManyValues };

// Parses a text that is one JSON value. Of members with equal names the last value counts, in the
// place of the first, as in ordered_json::parse. Thread-safe.
tl::expected<nlohmann::ordered_json, JsonFault> ParseOrderedJson(std::string_view text,
                                                                 const JsonLimits& limits = {});

}  // namespace recall
