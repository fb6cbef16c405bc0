// Snapshot tests of the program's output (tests/golden/README.md).

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include "tests/cli/shell.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

const fs::path kGolden = SourceDir() + "/tests/golden";

std::string ReadFile(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string ReadOr(const fs::path& path, const std::string& fallback) {
  return fs::exists(path) ? ReadFile(path) : fallback;
}

// Does not create empty files, unless `always`.
void WriteFile(const fs::path& path, const std::string& text, bool always) {
  if (!always && text.empty()) {
    fs::remove(path);
    return;
  }
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kGolden)) {
    if (fs::exists(entry.path() / "cmd")) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

// The cases whose commands only read, all of them such that a server can answer: --explain tells of
// the process, and damage is reported by the process itself.
std::vector<std::string> CasesForServer() {
  const std::regex command("(^|[ ;|])recall ([a-z]+)");
  const std::regex reads("search|similar|context|query|get|ls|stats");
  const std::regex only_here("--explain");
  std::vector<std::string> names;
  for (const std::string& name : Cases()) {
    const std::string script = ReadFile(kGolden / name / "cmd");
    size_t commands = 0;
    const std::string exit = ReadOr(kGolden / name / "exit", "");
    bool served = !std::regex_search(script, only_here) && (exit.empty() || exit < "3");
    for (std::sregex_iterator found(script.begin(), script.end(), command), end; found != end;
         ++found) {
      served = served && std::regex_match((*found)[2].str(), reads);
      ++commands;
    }
    if (served && commands > 0) names.push_back(name);
  }
  return names;
}

// Copies the corpus. Modification times are 2026-01-01 and the following days, in the order of the
// paths.
void CopyCorpus(const fs::path& to) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kGolden / "corpus")) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  constexpr time_t kFirstDay = 1'767'225'600;
  constexpr time_t kSecondsOfADay = 86'400;
  for (size_t i = 0; i < files.size(); ++i) {
    const fs::path file = to / fs::relative(files[i], kGolden / "corpus");
    fs::create_directories(file.parent_path());
    fs::copy_file(files[i], file);
    const timespec day = {kFirstDay + static_cast<time_t>(i) * kSecondsOfADay, 0};
    const timespec times[] = {day, day};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }
}

// The UUIDs of all stores in the directory, which are random.
std::set<std::string> UuidsIn(const fs::path& directory) {
  std::set<std::string> uuids;
  const std::regex uuid("\"uuid\": \"([0-9a-f]{32})\"");
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().extension() != ".db") continue;
    const std::string answer =
        RunShell("recall stats --json --store " + ShellQuoted(entry.path()), directory).out;
    std::smatch match;
    if (std::regex_search(answer, match, uuid)) uuids.insert(match[1].str());
  }
  return uuids;
}

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; !what.empty() && (at = text.find(what, at)) != text.npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

struct Outcome {
  std::string out;
  std::string err;
  std::string exit;  // "", or a number and a newline
};

class GoldenTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Each case gets a copy of this store.
  static void SetUpTestSuite() {
    store_.emplace();
    CopyCorpus(store_->path());
    const ShellResult made = RunShell("set -e\n" + ReadFile(kGolden / "store.sh"), store_->path());
    ASSERT_EQ(made.exit, 0) << made.out;
  }
  static void TearDownTestSuite() { store_.reset(); }

  // With a server, it must answer each command that uses the store.
  Outcome RunCase(bool with_server = false) {
    const TempDir place;  // the output files are outside of the case's directory
    const fs::path directory = place / "case";
    fs::create_directory(directory);
    CopyCorpus(directory);
    fs::copy_file(*store_ / "recall.db", directory / "recall.db");
    std::set<std::string> uuids = UuidsIn(directory);
    std::string script = "export RECALL_STABLE=1\nsh " + ShellQuoted(kGolden / GetParam() / "cmd") +
                         " >" + ShellQuoted(place / "out") + " 2>" + ShellQuoted(place / "err");
    if (with_server) {
      script = "export RECALL_SERVE=always XDG_RUNTIME_DIR=" + ShellQuoted(place.path()) +
               "\nexec 3< <(exec recall serve); server=$!; read -r listening <&3\n" + script +
               "\ncode=$?; kill $server; exit $code";
    }
    const int exit = RunShell(script, directory).exit;
    uuids.merge(UuidsIn(directory));
    return {Normalized(ReadFile(place / "out"), directory, uuids),
            Normalized(ReadFile(place / "err"), directory, uuids),
            exit == 0 ? "" : std::to_string(exit) + "\n"};
  }

 private:
  static std::string Normalized(std::string text, const fs::path& directory,
                                const std::set<std::string>& uuids) {
    text = Replaced(std::move(text), directory, "DIR");
    // An emulated program is not the one on PATH, and calls itself by its whole path.
    text = std::regex_replace(text, std::regex("\"/[^\"\n]*/recall(\\\\?)\""), "\"recall$1\"");
    for (const std::string& uuid : uuids) {
      text = Replaced(std::move(text), uuid, "UUID");
      text = Replaced(std::move(text), uuid.substr(0, 8) + "-", "STORE-");
    }
    return text;
  }

  static inline std::optional<TempDir> store_;
};

TEST_P(GoldenTest, PrintsWhatItPrinted) {
  const fs::path golden = kGolden / GetParam();
  const Outcome outcome = RunCase();
  if (std::getenv("RECALL_UPDATE_GOLDEN") != nullptr) {
    WriteFile(golden / "stdout", outcome.out, true);
    WriteFile(golden / "stderr", outcome.err, false);
    WriteFile(golden / "exit", outcome.exit, false);
  }
  EXPECT_EQ(outcome.out, ReadFile(golden / "stdout"));
  EXPECT_EQ(outcome.err, ReadOr(golden / "stderr", ""));
  EXPECT_EQ(outcome.exit, ReadOr(golden / "exit", ""));
}

// With --stable, a second run prints exactly the same.
TEST_P(GoldenTest, PrintsTheSameAgain) {
  const Outcome once = RunCase();
  const Outcome again = RunCase();
  EXPECT_EQ(again.out, once.out);
  EXPECT_EQ(again.err, once.err);
}

std::string NameOfCase(const ::testing::TestParamInfo<std::string>& param) {
  std::string name = param.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenTest, ::testing::ValuesIn(Cases()), NameOfCase);

class ServedGoldenTest : public GoldenTest {};

TEST_P(ServedGoldenTest, PrintsTheSameByServer) {
  const fs::path golden = kGolden / GetParam();
  const Outcome outcome = RunCase(/*with_server=*/true);
  EXPECT_EQ(outcome.out, ReadFile(golden / "stdout"));
  EXPECT_EQ(outcome.err, ReadOr(golden / "stderr", ""));
  EXPECT_EQ(outcome.exit, ReadOr(golden / "exit", ""));
}

INSTANTIATE_TEST_SUITE_P(Cases, ServedGoldenTest, ::testing::ValuesIn(CasesForServer()),
                         NameOfCase);

}  // namespace
}  // namespace recall
