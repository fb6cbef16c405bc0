#pragma once

#include <span>
#include <string_view>

namespace recall {

// The JSON fields that may differ between two runs of the same command on the same commit of a
// store, because they depend on the clock, on other processes, or on the physical layout of the
// file. --stable omits them; docs/json.md contains the same list. The paths are JSON Pointers, in
// which '*' matches every element of an array.
std::span<const std::string_view> VolatileFields();
// Without `as_of`: for a command line that says what it is.
std::span<const std::string_view> VolatileFieldsOfGivenTime();

}  // namespace recall
