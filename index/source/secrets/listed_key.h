#pragma once

#include <cstdint>
#include <string_view>

namespace recall {

// Recognizes a private key in PEM whose lines are strings of a JSON list, as in patches and
// notebooks.
class ListedKey final {
 public:
  // Takes the strings of a text in their order. Returns whether this one is a line of the body of
  // the key. `follows_string`: it is the next element of a list after the string before.
  bool HasLine(bool follows_string, std::string_view text);

 private:
  enum class State : uint8_t { kOutside, kBegun, kInBody };
  State state_ = State::kOutside;
};

}  // namespace recall
