#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// $VISUAL, else $EDITOR; "" if neither is set.
std::string EditorCommand();

// The arguments that make an editor show a line of a file: "+12 FILE", "--goto FILE:12" for those
// like VS Code, "FILE:12" for Helix, Sublime Text and Zed.
std::vector<std::string> EditorArguments(std::string_view command, const std::string& file,
                                         uint32_t line);
// A place to be shown: a file and a line of it.
struct FilePlace {
  std::string file;
  uint32_t line = 1;
};
// The arguments that make an editor open several files, each at its line if the editor can; others
// show the line of the first. Requires: there is one.
std::vector<std::string> EditorArguments(std::string_view command,
                                         const std::vector<FilePlace>& places);
// The arguments that make an editor show a line of a file and end when that is closed, as those
// with a window of their own do not by themselves.
std::vector<std::string> WaitingEditorArguments(std::string_view command, const std::string& file,
                                                uint32_t line);
// The arguments that make a pager show a line of standard input; none for unknown pagers.
std::vector<std::string> PagerArguments(std::string_view command, uint32_t line);

// Runs a shell command with further arguments and waits for it. Its terminal is `terminal`, its
// standard input `input`. Ctrl-Z stops this process as well. Returns: its exit status, 128 and the
// signal that ended it. Errors: IoError if it cannot be started.
Result<int> RunOnTerminal(const std::string& command, const std::vector<std::string>& arguments,
                          int input, int terminal);

// An open file without a name, with this text. Errors: IoError.
Result<int> TextDescriptor(std::string_view text);

}  // namespace recall
