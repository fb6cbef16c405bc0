#pragma once

#include <string>
#include <vector>

#include "tests/cli/recall_process.h"

namespace recall {

// Holds what the program printed to docs/schema, when the command line asked for JSON: every answer
// of every test is one more example of what is promised. Also that `ok` goes with the exit code.
void ExpectPromisedJson(const std::vector<std::string>& args, const RunResult& result);

}  // namespace recall
