#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace recall {

// The value of a setting.
using ConfigValue = std::variant<int64_t, double, std::string>;

}  // namespace recall
