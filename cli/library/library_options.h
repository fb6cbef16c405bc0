#pragma once

#include <string>

#include "cli/run/execution/command_call.h"
#include "storage/base/result.h"

namespace recall {

// The options of recall_open (recall.h).
struct LibraryOptions {
  CallSettings call;  // without a listener
  bool create = false;
  bool serialized = true;
  bool stable = false;
};

// Reads the options of the store at `path`. `text`: a JSON object, or "". Errors: InvalidArgument.
Result<LibraryOptions> ReadLibraryOptions(const std::string& path, const std::string& text);

}  // namespace recall
