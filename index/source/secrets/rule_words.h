#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace recall {

// The words of a row in a table of rules: up to 24, none of them empty. Unlike a vector it is a
// constant of the program.
struct RuleWords {
  std::array<std::string_view, 24> words;  // those after the last are empty

  constexpr const std::string_view* begin() const { return words.data(); }
  constexpr const std::string_view* end() const {
    size_t count = 0;
    while (count < words.size() && !words[count].empty()) ++count;
    return words.data() + count;
  }
};

}  // namespace recall
