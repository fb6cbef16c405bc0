#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The names in a file ("-": standard input): one a line, or each ended by a NUL. A name is taken
// byte for byte; empty ones are passed over.
// Errors: those of InputFile::Open and Read; InvalidArgument for what is no list of names.
Result<std::vector<std::string>> ReadNameList(const std::string& path, bool null_ended,
                                              const std::atomic<bool>* cancel);

}  // namespace recall
