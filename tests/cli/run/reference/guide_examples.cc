#include "tests/cli/run/reference/guide_examples.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/shell.h"

namespace recall {
namespace {

constexpr std::string_view kAny = "\xE2\x80\xA6";  // …

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    line.erase(line.find_last_not_of(' ') + 1);  // trailing spaces, which editors remove
    lines.push_back(line);
  }
  return lines;
}

bool LineMatches(std::string_view shown, std::string_view actual) {
  const size_t any = shown.find(kAny);
  if (any == shown.npos) return shown == actual;
  if (!actual.starts_with(shown.substr(0, any))) return false;
  const std::string_view rest = shown.substr(any + kAny.size());
  for (size_t i = any; i <= actual.size(); ++i) {
    if (LineMatches(rest, actual.substr(i))) return true;
  }
  return false;
}

bool LinesMatch(const std::vector<std::string>& shown, size_t i,
                const std::vector<std::string>& actual, size_t j) {
  if (i == shown.size()) return j == actual.size();
  if (shown[i] == "...") {
    for (size_t k = j; k <= actual.size(); ++k) {
      if (LinesMatch(shown, i + 1, actual, k)) return true;
    }
    return false;
  }
  return j < actual.size() && LineMatches(shown[i], actual[j]) &&
         LinesMatch(shown, i + 1, actual, j + 1);
}

// Whether a command needs further lines: it ends with a backslash, or its here-document (<<'END')
// is not complete.
bool IsOpen(const std::string& command) {
  if (command.ends_with('\\')) return true;
  const size_t begin = command.find("<<'");
  if (begin == command.npos) return false;
  const size_t end = command.find('\'', begin + 3);
  if (end == command.npos) return false;
  const std::string last = "\n" + command.substr(begin + 3, end - begin - 3);
  return !command.ends_with(last) && command.find(last + "\n") == command.npos;
}

// A line without the "> " that marks it as a part of the command above it.
std::string WithoutMark(const std::string& line) {
  return line == ">" || line.starts_with("> ") ? line.substr(std::min<size_t>(2, line.size()))
                                               : line;
}

}  // namespace

std::vector<FencedBlock> FencedBlocks(std::string_view markdown) {
  std::vector<FencedBlock> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : Lines(markdown)) {
    ++number;
    if (line.starts_with("```")) {
      if (!inside) blocks.push_back({line.substr(3), "", number});
      inside = !inside;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

std::vector<ConsoleStep> ConsoleSteps(const FencedBlock& block) {
  std::vector<ConsoleStep> steps;
  int number = block.line;
  bool in_command = false;
  for (const std::string& line : Lines(block.text)) {
    ++number;
    if (in_command && IsOpen(steps.back().command)) {
      steps.back().command += "\n" + WithoutMark(line);
    } else if (line.starts_with("$ ")) {
      steps.push_back({line.substr(2), "", number});
      in_command = true;
    } else if (in_command && (line.starts_with("> ") || line == ">")) {
      steps.back().command += "\n" + WithoutMark(line);
    } else if (!steps.empty()) {
      steps.back().output += line + "\n";
      in_command = false;
    }
  }
  return steps;
}

bool MatchesShown(std::string_view shown, std::string_view actual) {
  return LinesMatch(Lines(shown), 0, Lines(actual), 0);
}

size_t RunConsole(const std::string& page, const std::vector<FencedBlock>& blocks,
                  const std::string& directory, const std::string& home) {
  size_t steps = 0;
  for (const FencedBlock& block : blocks) {
    if (block.language != "console") continue;
    for (const ConsoleStep& step : ConsoleSteps(block)) {
      const std::string script = "HOME=" + ShellQuoted(home) + "\n" + step.command;
      const std::string actual = RunShell(script, directory).out;
      EXPECT_TRUE(MatchesShown(step.output, actual))
          << page << ":" << step.line << ": $ " << step.command << "\nshown:\n"
          << step.output << "printed:\n"
          << actual;
      ++steps;
    }
  }
  return steps;
}

}  // namespace recall
