// The entry in TOML settings (Codex).

#include <gtest/gtest.h>

#include "cli/setup/install/settings_edit.h"
#include "tests/cli/setup/install/random_settings.h"
#include "tests/test_util.h"

namespace recall {
namespace {

const EntryPath kTables = {"mcp_servers", "recall"};
const ServerEntry kTomlEntry = {{"command", "recall"},
                                {"args", std::vector<std::string>{"mcp", "--store", "/x"}}};
constexpr SettingsFormat kToml = SettingsFormat::kToml;

TEST(TomlEditTest, TheEntryIsATableAtTheEnd) {
  const std::string table =
      "[mcp_servers.recall]\ncommand = \"recall\"\nargs = [\"mcp\", \"--store\", \"/x\"]";
  for (const auto& [before, after] : std::vector<std::pair<std::string, std::string>>{
           {"", table + "\n"},
           {"a = 1\n", "a = 1\n\n" + table + "\n"},
           {"a = 1", "a = 1\n\n" + table},
           {"[mcp_servers.b]\ncommand = \"b\"\n",
            "[mcp_servers.b]\ncommand = \"b\"\n\n" + table + "\n"}}) {
    ASSERT_OK_AND_ASSIGN(const SettingsEdit edit, AddEntry(kToml, before, kTables, kTomlEntry));
    EXPECT_EQ(edit.text, after);
  }
}

TEST(TomlEditTest, FormsThatCannotBeEditedAreRefused) {
  const auto refused = [](const auto& result) {
    return result ? StatusCode::kOk : result.error().code();
  };
  EXPECT_EQ(refused(AddEntry(kToml, "mcp_servers = {}\n", kTables, kTomlEntry)),
            StatusCode::kUnsupported);
  EXPECT_EQ(
      refused(AddEntry(kToml, "mcp_servers = { b = { command = \"b\" } }\n", kTables, kTomlEntry)),
      StatusCode::kUnsupported);
  for (const std::string text :
       {"mcp_servers = { recall = { command = \"b\" } }\n",
        "[mcp_servers]\nrecall.command = \"b\"\n", "[mcp_servers]\nrecall = { command = \"b\" }\n",
        "[mcp_servers.recall]\ncommand = \"b\"\n[other]\n[mcp_servers.recall.env]\nA = \"1\"\n"}) {
    EXPECT_EQ(refused(ReplaceEntry(kToml, text, kTables, kTomlEntry)), StatusCode::kUnsupported)
        << text;
    EXPECT_EQ(refused(TakeEntry(kToml, text, kTables, nullptr)), StatusCode::kUnsupported) << text;
  }
  const auto error = FindEntry(kToml, "a = 1\nb = \n", kTables);
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().code(), StatusCode::kInvalidArgument);
  ASSERT_NE(error.error().position(), nullptr);
  EXPECT_EQ(error.error().position()->line, 2);
  const auto scalar = FindEntry(kToml, "\nmcp_servers = 1\n", kTables);
  ASSERT_FALSE(scalar);
  EXPECT_EQ(scalar.error().position()->line, 2);
}

TEST(TomlEditTest, AnotherEntryIsPutBack) {
  for (const std::string before :
       {"a = 1\n[mcp_servers.recall] # mine\ncommand = \"b\"\nargs = [\n  \"x\",\n]\n\n[c]\nd = 1",
        "[mcp_servers.recall]\ncommand = \"b\"", "[mcp_servers.recall]\n",
        "[mcp_servers.recall]\r\n\tcommand = '''\r\n[x]\r\n'''\r\n[mcp_servers.recall.env]\r\nA = "
        "\"1\" "
        "# a\r\n"}) {
    ASSERT_OK_AND_ASSIGN(const SettingsEdit edit, ReplaceEntry(kToml, before, kTables, kTomlEntry));
    ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(kToml, edit.text, kTables));
    EXPECT_EQ(found, CanonicalEntry(kTomlEntry));
    ASSERT_OK_AND_ASSIGN(const std::string after,
                         TakeEntry(kToml, edit.text, kTables, &edit.added));
    EXPECT_EQ(after, before);
    ASSERT_OK_AND_ASSIGN(const std::string gone, TakeEntry(kToml, before, kTables, nullptr));
    ASSERT_OK_AND_ASSIGN(const auto none, FindEntry(kToml, gone, kTables));
    EXPECT_EQ(none, std::nullopt) << gone;
  }
}

TEST(TomlEditTest, ChangesElsewhereStay) {
  ASSERT_OK_AND_ASSIGN(const SettingsEdit edit, AddEntry(kToml, "a = 1\n", kTables, kTomlEntry));
  ASSERT_OK_AND_ASSIGN(const std::string after,
                       TakeEntry(kToml, "b = 2\n" + edit.text + "[c]\n", kTables, &edit.added));
  EXPECT_EQ(after, "b = 2\na = 1\n[c]\n");
  // Another program moved the table.
  ASSERT_OK_AND_ASSIGN(const std::string moved,
                       TakeEntry(kToml,
                                 "[mcp_servers.recall]\nargs = [\"mcp\", \"--store\", \"/x\"]\n"
                                 "command = \"recall\"\n[c]\nd = 1\n",
                                 kTables, &edit.added));
  EXPECT_EQ(moved, "[c]\nd = 1\n");
}

TEST(TomlEditTest, AddingAndTakingRestoresEveryByte) {
  std::mt19937_64 random(TestSeed(49));
  int added = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string before = RandomTomlSettings("mcp_servers", random);
    const ServerEntry entry = RandomEntry(random);
    SCOPED_TRACE(before);
    const auto edit = AddEntry(kToml, before, kTables, entry);
    if (!edit) continue;  // the generator writes some files that are not TOML
    ++added;
    ASSERT_OK_AND_ASSIGN(const auto found, FindEntry(kToml, edit->text, kTables));
    ASSERT_EQ(found, CanonicalEntry(entry)) << edit->text;
    ASSERT_OK_AND_ASSIGN(const std::string after,
                         TakeEntry(kToml, edit->text, kTables, &edit->added));
    ASSERT_EQ(after, before);
  }
  EXPECT_GT(added, 2500);
}

}  // namespace
}  // namespace recall
