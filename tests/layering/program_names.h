#pragma once

// The rule that only the wings for other programs name them.

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/layering/include_graph.h"

namespace recall {

// A source outside of these wings, and the name of a program that it has.
using ProgramName = std::pair<std::string, std::string>;

// The names of programs in a text, with the numbers of their lines, from 1. Upper case, spaces and
// hyphens do not matter: "Basic Memory", kBasicMemory and "basic-memory" are one name.
std::vector<std::pair<std::string, size_t>> ProgramNamesIn(std::string_view text);

// One sentence for each name of a program in a source outside of query/compat and cli/compat that
// is no exception, and one for each exception that does not occur.
std::vector<std::string> ProgramNameViolations(const std::vector<SourceFile>& sources,
                                               const std::set<ProgramName>& exceptions);

}  // namespace recall
