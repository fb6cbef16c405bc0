// The header as C sees it, its examples and those of docs/c-api.md, and the exported symbols.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "cli/library/recall.h"
#include "tests/cli/library/c_examples.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::string ReadSource(const std::string& name) {
  std::ifstream file(SourceDir() + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Header() { return ReadSource("cli/library/recall.h"); }

// Compiles a C program, without linking it.
void ExpectCompiles(const std::string& program, const std::string& standard) {
  TempDir directory;
  const std::string source = directory / "program.c";
  std::ofstream(source) << program;
  const std::string command = "cc -std=" + standard +
                              " -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I '" + SourceDir() +
                              "/cli/library' '" + source + "' > '" + (directory / "log") + "' 2>&1";
  const int status = std::system(command.c_str());
  std::ifstream log(directory / "log");
  EXPECT_EQ(status, 0) << std::string(std::istreambuf_iterator<char>(log), {}).substr(0, 2000);
}

// The functions that a text names by a pattern with one group.
std::set<std::string> NamesIn(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    names.insert((*at)[1].str());
  }
  return names;
}

std::set<std::string> DeclaredFunctions() {
  return NamesIn(Header(), "\\nRECALL_API [^;]*?\\b(recall_[a-z_]+)\\(");
}

TEST(CHeaderTest, IsC99AndSmall) {
  ExpectCompiles("#include \"recall.h\"\nint main(void) { return recall_abi_version() != 1; }\n",
                 "c99");
  ExpectCompiles("#include \"recall.h\"\n#include \"recall.h\"\nextern int n; int n = RECALL_OK;\n",
                 "c11");
  const std::string header = Header();
  EXPECT_LE(std::count(header.begin(), header.end(), '\n'), 600);
  EXPECT_LE(DeclaredFunctions().size(), 30u);
  EXPECT_GE(DeclaredFunctions().size(), 20u) << "the functions were not found";
}

TEST(CHeaderTest, ExamplesCompile) {
  const std::string program = ProgramOfExamples(Header());
  ExpectCompiles(program, "c99");
  for (const std::string& function : DeclaredFunctions()) {
    EXPECT_NE(program.find(function + "("), std::string::npos) << function << " has no example";
  }
}

TEST(CHeaderTest, TheProgramOfThePageCompiles) {
  const std::string program = ProgramOfPage(ReadSource("docs/c-api.md"));
  EXPECT_NE(program.find("recall_open"), std::string::npos);
  ExpectCompiles(program, "c99");
}

TEST(CHeaderTest, TheExampleCompiles) {
  ExpectCompiles(ReadSource("cli/library/ask_program.c"), "c11");
}

// Programs have them in their code. No type of the header leads to them, so check_abi.sh does not
// see them.
TEST(CHeaderTest, StatusesStay) {
  EXPECT_EQ(RECALL_OK, 0);
  EXPECT_EQ(RECALL_ABSENT, 1);
  EXPECT_EQ(RECALL_USAGE, 2);
  EXPECT_EQ(RECALL_ENVIRONMENT, 3);
  EXPECT_EQ(RECALL_CORRUPT, 4);
  EXPECT_EQ(RECALL_BUSY, 5);
  EXPECT_EQ(RECALL_INTERRUPTED, 130);
}

TEST(CHeaderTest, TheManualPageDescribesAllFunctions) {
  TempDir directory;
  const std::string page = directory / "recall.3";
  const std::string library = SourceDir() + "/cli/library";
  const std::string command = "awk -v version=1 -v page='" + page + "' -f '" + library +
                              "/recall_man.awk' '" + library + "/recall.h' && groff -man -ww -z '" +
                              page + "' > '" + (directory / "warnings") + "' 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream warnings(directory / "warnings");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(warnings), {}), "");
  std::ifstream file(page);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> described;
  for (const std::string& titles : NamesIn(text, "\n\\.SS (recall_[^\n]*)\n")) {
    described.merge(NamesIn(titles, "(recall_[a-z_]+)\\(\\)"));
  }
  EXPECT_EQ(described, DeclaredFunctions());
  EXPECT_NE(text.find("enum recall_status"), text.npos);
  EXPECT_NE(text.find(".B \"settings_from\""), text.npos) << "an item of a list";
}

TEST(CHeaderTest, TheMapNamesTheFunctionsOfTheHeader) {
  EXPECT_EQ(NamesIn(ReadSource("cli/library/recall.map"), "\\n    (recall_[a-z_]+);"),
            DeclaredFunctions());
}

TEST(CHeaderTest, TheAllocatorOfTheHostIsUsedAndMayFail) {
  TempDir directory;
  const std::string command =
      "'" + BuildDir() + "/tests/cli/library/c_allocator' '" + (directory / "recall.db") + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(CHeaderTest, VersionsAreTold) {
  EXPECT_EQ(recall_abi_version(), RECALL_ABI_VERSION);
  EXPECT_TRUE(std::regex_match(recall_version(), std::regex("\\d+\\.\\d+\\.\\d+")))
      << recall_version();
}

// Whether there is a shared library, as with RECALL_LIBRARY.
bool HasSharedLibrary() { return std::filesystem::exists(BuildDir() + "/librecall.so.1"); }

// Compiles a program with the shared library, and runs it in a directory. Returns: what it prints.
std::string OutputOf(const std::string& program, const std::string& directory,
                     const std::string& arguments) {
  std::ofstream(directory + "/program.c") << program;
  const std::string command = "cd '" + directory + "' && cc -o program -I '" + SourceDir() +
                              "/cli/library' program.c -L '" + BuildDir() +
                              "' -lrecall && LD_LIBRARY_PATH='" + BuildDir() + "' ./program " +
                              arguments + " > out";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream out(directory + "/out");
  return {std::istreambuf_iterator<char>(out), {}};
}

TEST(CHeaderTest, TheProgramOfThePageRuns) {
  if (!HasSharedLibrary()) return;
  TempDir directory;
  const std::string output = OutputOf(ProgramOfPage(ReadSource("docs/c-api.md")), directory.path(),
                                      "'who waits at the pond'");
  EXPECT_TRUE(std::regex_search(output, std::regex("^0\\.\\d{3}  birds/heron@[0-9a-f]+:1-1\n")))
      << output;
}

TEST(CHeaderTest, TheExampleRuns) {
  if (!HasSharedLibrary()) return;
  TempDir directory;
  std::ofstream(directory / "heron.txt") << "Herons stand still at the pond.\n";
  const std::string output =
      OutputOf(ReadSource("cli/library/ask_program.c"), directory.path(),
               "notes.db birds/heron heron.txt 'who stands still at the pond'");
  EXPECT_TRUE(std::regex_search(
      output, std::regex("^[01]\\.\\d{3}  birds/heron@[0-9a-f]+:1-1\nHerons stand still")))
      << output;
  EXPECT_NE(output.find("\"used_tokens\":"), output.npos) << output;
}

TEST(CHeaderTest, TheSharedLibraryExportsTheFunctionsAlone) {
  if (!HasSharedLibrary()) return;
  const std::string library = BuildDir() + "/librecall.so.1";
  TempDir directory;
  const std::string list = directory / "symbols";
  ASSERT_EQ(std::system(("nm -D --defined-only '" + library + "' > '" + list + "'").c_str()), 0);
  std::ifstream file(list);
  const std::string symbols(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(NamesIn(symbols, " [TtWwVvBbDdRr] (\\S+?)@@RECALL_1"), DeclaredFunctions());
  EXPECT_EQ(NamesIn(symbols, " [TtWwVvBbDdRrui] ([^@\\n]+)\\n"), std::set<std::string>{})
      << "symbols without a version";
}

}  // namespace
}  // namespace recall
