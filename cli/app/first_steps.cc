#include "cli/app/first_steps.h"

#include <optional>

#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/terminal.h"
#include "cli/show/terminal/typed_lines.h"
#include "storage/base/trim.h"

namespace recall {

std::string FirstSteps(const std::string& directory) {
  return "There is no store in " + EscapeLine(directory) +
         " or above it. To make one:\n\n"
         "  recall init && recall add .    index the files of this directory\n"
         "  recall search WORDS...         then ask\n"
         "  recall install claude-code     let an assistant ask; `recall install` lists others\n"
         "\n`recall -h` lists all commands, `recall guide` is the manual.\n";
}

Result<bool> AskToIndex(const std::string& directory, StdoutStream* out) {
  InterruptScope interrupts;
  TypedLines lines;
  out->WriteError("Index the files in " + EscapeLine(directory) + " now, and search them? [y/N] ");
  RECALL_ASSIGN(const std::optional<std::string> line, lines.Next());
  const std::string_view answer = line ? Trim(*line) : std::string_view();
  return answer == "y" || answer == "Y" || answer == "yes" || answer == "Yes" || answer == "YES";
}

}  // namespace recall
