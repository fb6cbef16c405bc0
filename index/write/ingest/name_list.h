#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Reads the names in a file ("-": standard input): one per line, or each ended by a NUL. Names are
// not changed; empty ones are skipped. Errors: those of InputFile::Open and Read; InvalidArgument
// for a file that is not a list of names; LimitExceeded for one that lists more than 512 MiB.
Result<std::vector<std::string>> ReadNameList(const std::string& path, bool null_ended,
                                              const std::atomic<bool>* cancel);

}  // namespace recall
