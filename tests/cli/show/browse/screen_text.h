#pragma once

// What screens of the terminal view look like.

#include <cstddef>
#include <string>

#include "cli/show/browse/screen_rows.h"

namespace recall {

TextStyle Utf8();

// The rows without trailing spaces; marked words are in brackets, the chosen row after ">".
std::string TextOf(const Screen& screen);
size_t WidestRow(const Screen& screen);
// The test fails if a row contains what a terminal would not print.
void ExpectPrintable(const Screen& screen);

}  // namespace recall
