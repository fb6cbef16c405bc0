#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A fenced block of a Markdown page.
struct FencedBlock {
  std::string language;  // behind the opening fence
  std::string text;      // the lines between the fences
  int line = 0;          // of the opening fence, from 1
};

std::vector<FencedBlock> FencedBlocks(std::string_view markdown);

// A command in a `console` block: a line "$ ...", lines "> ..." that go on, and what it prints.
struct ConsoleStep {
  std::string command;
  std::string output;
  int line = 0;
};

std::vector<ConsoleStep> ConsoleSteps(const FencedBlock& block);

// Whether `actual` is what the page shows, but for spaces at the ends of lines. A shown line "..."
// stands for any lines, and "…" in a line for any characters.
bool MatchesShown(std::string_view shown, std::string_view actual);

}  // namespace recall
