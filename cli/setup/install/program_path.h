#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// What another program starts to run this one: "recall", if the directories of `path`, a value of
// the variable PATH, lead to the file that is running; else its absolute path. Errors: IoError if
// the file of the running program is not there any more.
Result<std::string> ProgramToStart(std::string_view path);

}  // namespace recall
