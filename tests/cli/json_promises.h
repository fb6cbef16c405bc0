#pragma once

#include <string>
#include <vector>

#include "tests/cli/recall_process.h"

namespace recall {

// Validates the output against docs/schema if the command line asks for JSON, and checks that `ok`
// agrees with the exit code. RecallTest calls it after each run.
void ExpectPromisedJson(const std::vector<std::string>& args, const RunResult& result);

}  // namespace recall
