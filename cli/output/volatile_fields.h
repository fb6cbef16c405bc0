#pragma once

#include <span>
#include <string_view>

namespace recall {

// What may differ between two runs of the same command on the same commit of a store, for it
// depends on the clock, on other processes, or on when the file was last tidied. --stable leaves it
// out; docs/json.md has the same list. Paths as in JSON Pointer; '*' is every element of an array.
std::span<const std::string_view> VolatileFields();

}  // namespace recall
