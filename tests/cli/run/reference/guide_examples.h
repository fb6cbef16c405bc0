#pragma once

// Reads the examples in Markdown pages and compares their output with what a command prints.

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A fenced block of a Markdown page.
struct FencedBlock {
  std::string language;  // after the opening fence
  std::string text;      // the lines between the fences
  int line = 0;          // number of the opening fence, from 1
};

std::vector<FencedBlock> FencedBlocks(std::string_view markdown);

// A command of a `console` block: a line "$ ...", its continuation lines, and the output. A line ">
// ..." continues a command; one without that mark does, too, if a line ends with a backslash or a
// here-document (<<'END') is open, so that such commands can be copied.
struct ConsoleStep {
  std::string command;
  std::string output;
  int line = 0;
};

std::vector<ConsoleStep> ConsoleSteps(const FencedBlock& block);

// True if `actual` matches the output on the page, ignoring trailing spaces. On the page, a line
// "..." stands for any lines, and "…" in a line for any characters.
bool MatchesShown(std::string_view shown, std::string_view actual);

// Runs the commands of the `console` blocks in order, in `directory`, whose home is `home`. The
// test fails where a command does not print what is shown. `page`: for messages. Returns: how many
// commands there were.
size_t RunConsole(const std::string& page, const std::vector<FencedBlock>& blocks,
                  const std::string& directory, const std::string& home);

}  // namespace recall
