#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/layering/layering_rules.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// Sorted paths below the repository's root, without build trees, hidden folders and the inputs of
// tests.
std::vector<std::string> FilesOfTheTree() {
  const fs::path root = SourceDir();
  std::vector<std::string> paths;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
       ++it) {
    const std::string name = it->path().filename().string();
    const bool skipped = name.starts_with('.') || name.starts_with("build") || name == "corpus" ||
                         name == "testdata" || name == "golden" || name == "cli_cases";
    if (it->is_directory() && skipped) it.disable_recursion_pending();
    if (it->is_regular_file() && !name.starts_with('.')) {
      paths.push_back(it->path().lexically_relative(root).generic_string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool IsProductSource(const std::string& path) {
  const bool product = std::ranges::any_of(kProductFolders, [&](std::string_view folder) {
    return path.starts_with(std::string(folder) + "/");
  });
  return product && (path.ends_with(".h") || path.ends_with(".cc"));
}

std::vector<ThirdParty> Libraries() {
  return ThirdPartyTable(ReadAll(fs::path(SourceDir()) / "docs/ARCHITECTURE.md"));
}

TEST(LayeringTest, LibrariesAreIncludedWhereTheTableSays) {
  const std::vector<ThirdParty> libraries = Libraries();
  ASSERT_GT(libraries.size(), 10u) << "the table of docs/ARCHITECTURE.md was not found";
  std::vector<std::pair<std::string, std::string>> used;
  for (const std::string& path : FilesOfTheTree()) {
    if (!IsProductSource(path)) continue;
    const std::string text = ReadAll(fs::path(SourceDir()) / path);
    for (const std::string& violation : IncludeViolations(path, text, libraries)) {
      ADD_FAILURE() << violation;
    }
    for (auto& [line, header] : IncludesOf(text)) used.emplace_back(path, std::move(header));
  }
  EXPECT_GT(used.size(), 500u) << "the sources were not found below " << SourceDir();
  for (const std::string& unused : UnusedAllowances(used, libraries)) ADD_FAILURE() << unused;
}

TEST(LayeringTest, HeadersAreIncludedOnce) {
  for (const std::string& path : FilesOfTheTree()) {
    if (!path.ends_with(".h")) continue;
    const std::string text = ReadAll(fs::path(SourceDir()) / path);
    // C knows no #pragma, and what is installed for it has a guard of the C preprocessor.
    if (path == "cli/library/recall.h") {
      EXPECT_NE(text.find("#ifndef RECALL_H\n#define RECALL_H\n"), std::string::npos) << path;
      continue;
    }
    EXPECT_NE(text.find("#pragma once\n"), std::string::npos) << path << " lacks #pragma once";
  }
}

TEST(LayeringTest, FileNamesAreUnique) {
  for (const std::string& repeated : RepeatedFileNames(FilesOfTheTree())) {
    ADD_FAILURE() << repeated;
  }
}

TEST(LayeringTest, EveryTestIsBuilt) {
  const std::vector<std::string> paths = FilesOfTheTree();
  std::string lists;
  for (const std::string& path : paths) {
    if (path.ends_with("CMakeLists.txt")) lists += ReadAll(fs::path(SourceDir()) / path);
  }
  for (const std::string& unlisted : UnlistedTests(paths, lists)) ADD_FAILURE() << unlisted;
}

// glibc's pthread_once has a cleanup: for an exception that passes through it, glibc loads
// libgcc_s.so, and ends the process if there is not enough memory for that.
TEST(LayeringTest, NoExceptionCanPassThroughPthreadOnce) {
  for (const std::string& path : FilesOfTheTree()) {
    if (!IsProductSource(path)) continue;
    const std::string text = ReadAll(fs::path(SourceDir()) / path);
    EXPECT_EQ(text.find("call_once("), std::string::npos)
        << path << ": use a mutex, or a local static variable";
  }
}

// Controls: the rules must detect violations.
const std::vector<ThirdParty> kLibraries = ThirdPartyTable(
    "## Who may include what\n"
    "| library | headers | folders |\n"
    "| --- | --- | --- |\n"
    "| SQLite | `sqlite3` | `storage` |\n"
    "| CRoaring | `roaring/` | `index` |\n"
    "| JSON, YAML | `nlohmann/` `yaml-cpp/` | `index/write/ingest`, `cli/flags.cc` |\n"
    "## Other\n"
    "| x | `openssl/` | `storage` |\n");

TEST(LayeringRulesTest, ObjectToLibrariesInTheWrongFolder) {
  const auto objects = [](std::string_view path, std::string_view include) {
    return IncludeViolations(path, include, kLibraries).size() == 1;
  };
  EXPECT_TRUE(objects("index/search/lexical.cc", "#include <sqlite3.h>"));
  EXPECT_TRUE(objects("storage/store/store.cc", "#include <roaring/roaring.h>"));
  EXPECT_TRUE(objects("index/base/fold.cc", "  #  include <nlohmann/json.hpp>"));
  EXPECT_TRUE(objects("cli/flags.h", "#include <yaml-cpp/yaml.h>")) << "one file alone may";
  EXPECT_TRUE(objects("storage/store/store.cc", "#include <openssl/ssl.h>"))
      << "a library of another table";
  EXPECT_TRUE(objects("storage/store/store.cc", "#include \"store.h\"")) << "not rooted";
  EXPECT_TRUE(objects("storage/store/store.cc", "#include \"../query/database/database.h\""))
      << "not rooted";
  EXPECT_TRUE(objects("query/answer.cc", R"(#include "tests/test_util.h")"));
}

TEST(LayeringRulesTest, AllowWhatTheTableAllows) {
  EXPECT_TRUE(IncludeViolations("index/write/ingest/text_file.cc",
                                "#include \"index/write/ingest/text_file.h\"\n"
                                "#include <nlohmann/json.hpp>\n"
                                "#include <yaml-cpp/yaml.h>\n"
                                "#include <sys/stat.h>\n"
                                "#include <string>\n"
                                "#include \"simd/kernels.h\"\n"
                                "// #include \"tests/test_util.h\"\n",
                                kLibraries)
                  .empty());
  EXPECT_TRUE(
      IncludeViolations("cli/flags.cc", "#include <yaml-cpp/yaml.h>\n", kLibraries).empty());
}

TEST(LayeringRulesTest, ObjectToAllowancesWithoutAnInclude) {
  EXPECT_EQ(UnusedAllowances({{"storage/a.cc", "sqlite3.h"},
                              {"index/b.cc", "roaring/roaring.h"},
                              {"cli/flags.cc", "yaml-cpp/yaml.h"}},
                             kLibraries),
            std::vector<std::string>{"index/write/ingest includes no nlohmann/, yaml-cpp/"});
}

TEST(LayeringRulesTest, ViolationsNameTheLine) {
  const auto violations = IncludeViolations("simd/dot.cc", "\n\n#include <sqlite3.h>", kLibraries);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0],
            "simd/dot.cc:3 includes sqlite3.h: only storage may include this library");
}

TEST(LayeringRulesTest, ObjectToTestsThatAreNotBuilt) {
  EXPECT_EQ(UnlistedTests({"tests/a/b_test.cc", "tests/b_test.cc", "tests/c.cc", "tests/d_test.cc"},
                          "add(a/b_test.cc\n  other_d_test.cc)"),
            std::vector<std::string>{"tests/d_test.cc is in no CMakeLists.txt"});
}

TEST(LayeringRulesTest, ObjectToRepeatedFileNames) {
  EXPECT_EQ(RepeatedFileNames({"a/x.cc", "b/x.cc", "a/CMakeLists.txt", "b/CMakeLists.txt"}),
            std::vector<std::string>{"x.cc is the name of a/x.cc, b/x.cc"});
}

}  // namespace
}  // namespace recall
