#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The configuration of one ranker (docs/embedders.md): a program that scores the texts of a
// ranking. Only the user's own settings name it; a store or a file beside it never does.
struct RankerConfig {
  std::string name;
  std::vector<std::string> command;  // the program, looked for in PATH, and its arguments; no shell
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // for one query
};

// Whether `name` can be the name of a ranker or an embedder: 1 to 64 lower-case letters, digits,
// '-', '_' and '.'. Names are used in commands, parameters of stages, and messages.
bool IsProgramName(std::string_view name);

}  // namespace recall
