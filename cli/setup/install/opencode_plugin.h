#pragma once

#include <string_view>

namespace recall {

// The bytes of opencode_plugin.js, which cmake/EmbedText.cmake embeds into the program.
// "@COMMAND@" stands for the command of a shell that starts `recall hook`.
extern const std::string_view kOpencodePlugin;

}  // namespace recall
