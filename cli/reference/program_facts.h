#pragma once

#include <span>
#include <string_view>

namespace recall {

// What help and the manual pages say of the program as a whole.

struct NamedFact {
  std::string_view name;
  std::string_view text;  // one line
};

extern const std::string_view kProgramDescription;

// The variables the program reads.
std::span<const NamedFact> EnvironmentFacts();
// The files it looks for.
std::span<const NamedFact> FileFacts();

}  // namespace recall
