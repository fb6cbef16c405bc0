#include "tests/layering/program_names.h"

#include <gtest/gtest.h>

#include "tests/layering/layering_rules.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

using Texts = std::vector<std::string>;

// Names that stores hold or that users type, and the sources that have them as one literal.
const std::set<ProgramName> kStoredOrTyped = {
    {"index/source/session/session_meta.cc", "rekal"},  // a key of stored metadata
    {"query/types/note_types.h", "rekall"},             // an algorithm, in the log of reviews
    {"cli/options/settings/config.cc", "rekall"},       // a value of the setting review_algorithm
    // The name of a program that Recall may be called by; the first also names its folder.
    {"cli/app/app.cc", "rekal"},
    {"cli/app/app.h", "rekal"},
};

TEST(ProgramNamesTest, OnlyTheWingsForThemNameOtherPrograms) {
  const std::vector<SourceFile> sources = ProductSources(SourceDir());
  EXPECT_GT(sources.size(), 500u) << "the sources were not found below " << SourceDir();
  for (const std::string& violation : ProgramNameViolations(sources, kStoredOrTyped)) {
    ADD_FAILURE() << violation;
  }
}

// Controls: the comparison must detect violations.
TEST(ProgramNamesRulesTest, FindNamesInAnySpelling) {
  const auto names = [](std::string_view text) {
    Texts found;
    for (const auto& [name, line] : ProgramNamesIn(text)) {
      found.push_back(name + " " + std::to_string(line));
    }
    return found;
  };
  EXPECT_EQ(names("struct RekallSettings;\nIsRekal(x)"), (Texts{"rekall 1", "rekal 2"}));
  EXPECT_EQ(names("\"<!-- bastra:auto -->\""), Texts{"bastra 1"});
  EXPECT_EQ(names("kBasicMemory \"basic-memory\" basic_memory"),
            (Texts{"basic memory 1", "basic memory 1", "basic memory 1"}));
  EXPECT_EQ(names("// as the memory\n// server has it"), Texts{"memory server 1"});
  EXPECT_EQ(names("@x/server-memory"), Texts{"server memory 1"});
  EXPECT_EQ(names("recall, memory; a server. Compare kAll"), Texts{});
}

TEST(ProgramNamesRulesTest, AllowThemInTheirWingsAndInExceptions) {
  EXPECT_EQ(ProgramNameViolations({{"query/compat/a.cc", "rekall"},
                                   {"cli/compat/x/a.cc", "bastra"},
                                   {"index/a.cc", "\"rekal\""}},
                                  {{"index/a.cc", "rekal"}}),
            Texts{});
}

TEST(ProgramNamesRulesTest, ObjectToNamesElsewhere) {
  EXPECT_EQ(ProgramNameViolations({{"query/ask/a.cc", "int x;\n// as Rekall does"}}, {}),
            Texts{"query/ask/a.cc:2 names rekall: only query/compat and cli/compat name other "
                  "programs"});
  EXPECT_EQ(
      ProgramNameViolations({{"index/a.cc", "rekall"}}, {{"index/a.cc", "rekal"}}),
      (Texts{"index/a.cc:1 names rekall: only query/compat and cli/compat name other programs",
             "index/a.cc does not name rekal, but is an exception"}));
}

TEST(ProgramNamesRulesTest, ObjectToExceptionsThatDoNotOccur) {
  EXPECT_EQ(ProgramNameViolations({{"index/a.cc", "int x;"}}, {{"index/a.cc", "rekal"}}),
            Texts{"index/a.cc does not name rekal, but is an exception"});
}

}  // namespace
}  // namespace recall
