// What docs/reproducible.md promises: bench/reproducible.sh prints the same sum of all answers for
// the same documents, whatever the CPU target, the number of threads and the reader of the index.

#include <set>
#include <sstream>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class ReproducibleTest : public RecallTest {
 protected:
  void SetUp() override {
    const std::string copy = "cp -R " + ShellQuoted(SourceDir() + "/docs/format") + " docs";
    ASSERT_EQ(RunShell(copy, directory()).exit, 0);
  }

  // The first words of the lines that the script prints.
  std::vector<std::string> Sums(const std::string& options, const std::string& variables = "") {
    const std::string script = ShellQuoted(SourceDir() + "/bench/reproducible.sh");
    const ShellResult result = RunShell(
        variables + " " + script + " --directory docs --questions 12 " + options, directory());
    EXPECT_EQ(result.exit, 0) << result.out;
    std::vector<std::string> sums;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
      sums.push_back(line.substr(0, line.find(' ')));
      EXPECT_EQ(sums.back().find_first_not_of("0123456789abcdef"), std::string::npos) << line;
      EXPECT_EQ(sums.back().size(), 64u) << line;
    }
    return sums;
  }
};

TEST_F(ReproducibleTest, TheSumDependsOnNothingButTheDocuments) {
  const std::vector<std::string> sums = Sums("--every-target");
  EXPECT_GE(sums.size(), 1u);
  EXPECT_EQ(std::set<std::string>(sums.begin(), sums.end()).size(), 1u);
  EXPECT_EQ(Sums("", "RECALL_THREADS=1 RECALL_FTS=sqlite"), std::vector<std::string>{sums.at(0)});
}

TEST_F(ReproducibleTest, AnotherWordIsAnotherSum) {
  const std::vector<std::string> before = Sums("--keep answers");
  const std::string answers = Read("answers");
  EXPECT_NE(answers.find("\"results\":[{"), std::string::npos) << answers.substr(0, 300);
  EXPECT_NE(answers.find("\"context\":{"), std::string::npos);
  Write("docs/segment.md", Read("docs/segment.md") + "\nA sentence about kingfishers.\n");
  EXPECT_NE(Sums(""), before);
}

}  // namespace
}  // namespace recall
