#pragma once

// The lengths of functions and sources, by their indentation.
//
// The formatter puts the closing brace of a function at the indentation of its first line, so a
// function is found without a parser: from a head that has a parenthesis and ends with '{', to the
// next '}' at the same indentation. A head that spans lines begins behind the previous statement.

#include <string>
#include <string_view>
#include <vector>

namespace recall {

struct FunctionSize {
  size_t line = 0;   // of the head, from 1
  size_t lines = 0;  // from the head to the closing brace
  std::string head;  // its first line, without indentation
};

// The functions of a formatted source, in the order of their ends. Functions inside functions count
// as parts of these.
std::vector<FunctionSize> FunctionsOf(std::string_view source);

}  // namespace recall
