#pragma once

#include <span>
#include <string_view>

namespace recall {

// Facts about the program for help and manual pages.

struct NamedFact {
  std::string_view name;
  std::string_view text;  // one line
};

extern const std::string_view kProgramDescription;

// The environment variables that the program reads.
std::span<const NamedFact> EnvironmentFacts();
// The files that it looks for.
std::span<const NamedFact> FileFacts();

}  // namespace recall
