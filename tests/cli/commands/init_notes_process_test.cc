// What `recall init` records of notes: in a directory of texts they are files, too.

#include <filesystem>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class InitNotesTest : public RecallTest {
 protected:
  nlohmann::ordered_json RecordedBy(const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"init", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const RunResult made = Run(args);
    EXPECT_EQ(made.exit, 0) << made;
    return made.Json()["store"]["notes_dir"];
  }
  bool IsThere(const std::string& name) { return std::filesystem::exists(Path(name)); }
  // The value and the source of the setting.
  std::pair<std::string, std::string> Setting() {
    const auto settings = Run({"config", "--json"}).Json()["config"]["settings"];
    for (const auto& setting : settings) {
      if (setting["key"] == "notes_dir") return {setting["value"], setting["source"]};
    }
    return {};
  }
};

TEST_F(InitNotesTest, InADirectoryOfTextsNotesAreFiles) {
  Write("readme.md", "# Hello\n");
  EXPECT_EQ(RecordedBy(), "notes");
  EXPECT_FALSE(IsThere("notes"));
  EXPECT_EQ(Setting(), std::make_pair(std::string("notes"), std::string("store")));
  ASSERT_EQ(Run({"save", "lesson", "Focus", "--text", "one"}).exit, 0);
  EXPECT_EQ(Read("notes/focus.md"), Run({"get", "focus"}).out);
  // Edits and new notes come back.
  Write("notes/focus.md", Read("notes/focus.md") + "\nBy hand.\n");
  Write("notes/new.md", "---\ntype: decision\ntitle: New\n---\n\nBy hand, too.\n");
  const auto added = Run({"add", ".", "--sync", "--json"}).Json()["add"];
  EXPECT_EQ(added["updated"], 1);
  EXPECT_EQ(added["added"], 2);  // and readme.md
  EXPECT_EQ(Run({"query", "SELECT doc.path FROM doc FILTER doc.kind = 'note'"}).out,
            "notes/focus.md\nnotes/new.md\n");
}

// An edit by hand that the store has not got yet is not overwritten by any command.
TEST_F(InitNotesTest, AnEditByHandIsNotOverwritten) {
  Write("readme.md", "# Hello\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"save", "lesson", "Focus", "--text", "one"}).exit, 0);
  const std::string edited = Read("notes/focus.md") + "\nBy hand.\n";
  Write("notes/focus.md", edited);
  const RunResult saved =
      Run({"save", "lesson", "Focus", "--id", "focus", "--replace", "--text", "two"});
  EXPECT_EQ(saved.exit, 2) << saved;
  EXPECT_NE(saved.err.find("recall add notes/focus.md"), std::string::npos) << saved;
  EXPECT_EQ(Run({"retire", "focus"}).exit, 2);
  EXPECT_EQ(Read("notes/focus.md"), edited);
  ASSERT_EQ(Run({"add", "notes/focus.md"}).exit, 0);
  ASSERT_EQ(Run({"retire", "focus"}).exit, 0);
  EXPECT_NE(Read("notes/focus.md").find("By hand."), std::string::npos);
}

TEST_F(InitNotesTest, PrivateNotesStayInTheStore) {
  Write("readme.md", "# Hello\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"save", "lesson", "Plan", "--private", "--text", "a secret plan"}).exit, 0);
  EXPECT_FALSE(IsThere("notes/plan.md"));
  EXPECT_EQ(Run({"add", ".", "--sync"}).exit, 0);
  EXPECT_NE(Run({"get", "plan"}).out.find("a secret plan"), std::string::npos);
  // Whoever asks for files gets them all.
  Write("recall.toml", "notes_dir = \"notes\"\n");
  ASSERT_EQ(Run({"save", "lesson", "Other", "--private", "--text", "another plan"}).exit, 0);
  EXPECT_TRUE(IsThere("notes/other.md"));
}

TEST_F(InitNotesTest, OtherDirectoriesAreAsBefore) {
  EXPECT_TRUE(RecordedBy().is_null());  // a bare one
  Write("code/main.c", "int main(void) { return 0; }\n");
  EXPECT_TRUE(RecordedBy({"code"}).is_null());
  Write("vault/readme.md", "# Hello\n");
  Write("vault/notes/mine.md", "# Mine\n");
  EXPECT_TRUE(RecordedBy({"vault"}).is_null());
  Write("asked/readme.md", "# Hello\n");
  Write("asked/recall.toml", "notes_dir = \"\"\n");
  EXPECT_TRUE(RecordedBy({"asked"}).is_null());
  ASSERT_EQ(Run({"save", "lesson", "Focus", "--text", "one"}).exit, 0);
  EXPECT_FALSE(IsThere("notes"));
}

TEST_F(InitNotesTest, TheSettingsTakePrecedence) {
  Write("readme.md", "# Hello\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  Write("recall.toml", "notes_dir = \"\"\n");
  ASSERT_EQ(Run({"save", "lesson", "Focus", "--text", "one"}).exit, 0);
  EXPECT_FALSE(IsThere("notes"));
  Write("recall.toml", "notes_dir = \"vault\"\n");
  ASSERT_EQ(Run({"save", "lesson", "Locks", "--text", "two"}).exit, 0);
  EXPECT_TRUE(IsThere("vault/locks.md"));
}

}  // namespace
}  // namespace recall
