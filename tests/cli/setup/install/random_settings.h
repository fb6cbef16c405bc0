#pragma once

// Settings files as people and programs write them, generated at random.

#include <random>
#include <string>

#include "cli/setup/install/settings_edit.h"

namespace recall {

// A JSON text with a member `group` or without one: with comments, tabs or spaces or nothing as
// indentation, either line end, commas before closing brackets, a byte order mark, without a final
// newline, empty. It has no entry `recall` in `group`.
std::string RandomJsonSettings(const std::string& group, std::mt19937_64& random);

// A TOML text with tables of `group` or without, in all forms but one entry `recall`.
std::string RandomTomlSettings(const std::string& group, std::mt19937_64& random);

// An entry with strings that need escapes.
ServerEntry RandomEntry(std::mt19937_64& random);

}  // namespace recall
