#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Where passwords of encrypted documents come from: one a line. Only the user names them; a store
// or a file beside it never does.
struct PasswordSource {
  std::vector<std::string> given;    // the passwords themselves
  std::string file;                  // "": none
  std::vector<std::string> command;  // a program and its arguments that prints them; empty: none

  bool empty() const { return given.empty() && file.empty() && command.empty(); }
  bool operator==(const PasswordSource&) const = default;
};

// The passwords in a text: one a line, without its line end; empty lines are none.
std::vector<std::string> PasswordLines(std::string_view text);

}  // namespace recall
