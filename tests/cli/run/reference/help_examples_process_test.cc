// The examples at the top of help texts are valid command lines.

#include <sstream>

#include "tests/cli/listed_commands.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

using HelpExamplesTest = RecallTest;

// Removes the remark: "recall rm build/      every document below" becomes "recall rm build/".
std::string WithoutRemark(const std::string& line) {
  return line.substr(0, std::min(line.find("   "), line.size()));
}

std::vector<std::string> ExamplesOf(const std::string& help) {
  std::vector<std::string> examples;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line) && !line.starts_with("Usage:");) {
    if (!line.starts_with("  ")) continue;
    line = WithoutRemark(line.substr(2));
    // The tests of completions run these in the shells.
    if (line.find("recall completions") != line.npos) continue;
    if (line.starts_with("recall ") || line.find("| recall") != line.npos) examples.push_back(line);
  }
  return examples;
}

// A command that runs until Ctrl-C gets one when it says that it is ready.
std::string UntilReady(const std::string& example) {
  return "rm -f watched\n" + example +
         " > watched & child=$!\n"
         "until grep -qsE 'watching|ready|listening' watched; do kill -0 $child || break; done\n"
         "kill -INT $child; wait $child";
}

TEST_F(HelpExamplesTest, AreNoUsageErrors) {
  MakeSmallStore();
  Write("weekly.rql", "FROM doc SELECT doc.path");
  // Stand-ins for programs that may not be installed pass their input on.
  const std::string tools =
      "set -o pipefail; jq() { cat; }; man() { cat; }; less() { cat; }; git() { echo x; }\n"
      "export BROWSER=true\n";
  size_t count = 0;
  for (const std::string& verb : ListedCommands(Run({"--help"}).out)) {
    for (const std::string& example : ExamplesOf(Run({verb, "-h"}).out)) {
      const bool stays = verb == "watch" || verb == "serve" ||
                         (verb == "capture" && example.find("--watch") != example.npos);
      const ShellResult result =
          RunShell(tools + (stays ? UntilReady(example) : example), directory());
      EXPECT_NE(result.exit, 2) << example << "\n" << result.out;
      EXPECT_LE(result.exit, 4) << example << "\n" << result.out;
      ++count;
    }
  }
  EXPECT_GE(count, 40u);
}

}  // namespace
}  // namespace recall
