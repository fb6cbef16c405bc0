#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace recall {

// Why source code has no definitions: "recall was built without grammars (./x build fetches them)"
// if the program has none, else which of `languages` it lacks. `grammars`: those of the program.
std::string WithoutGrammarsNote(std::span<const std::string_view> languages, size_t grammars);

}  // namespace recall
