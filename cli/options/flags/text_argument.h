#pragma once

#include <span>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The text of an argument: for "@FILE" the text of the file (see InputFile), for "@-" standard
// input, else the argument itself. A byte order mark is removed. `name` is used in errors
// ("--filter"). Errors: NotFound if there is no such file; InvalidArgument if it cannot be
// read or the text exceeds 1 MiB.
Result<std::string> ReadTextArgument(const std::string& argument, std::string_view name);

// All of standard input, at most 1 MiB. `name` is used in errors ("the query").
Result<std::string> ReadStandardInput(std::string_view name);

// A text that was read in the place of an argument: "@FILE", or "@-" for standard input.
struct TextRead {
  std::string argument;
  std::string text;
};

// All that this thread has read by the functions above.
std::span<const TextRead> TextsRead();

}  // namespace recall
