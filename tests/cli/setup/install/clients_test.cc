#include "cli/setup/install/clients.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/test_util.h"

namespace recall {
namespace {

using Variables = std::map<std::string, std::string>;

InstallPlaces PlacesWith(bool macos, const Variables& variables = {}) {
  return {"/home/u", "/src/p", macos, [variables](const char* name) {
            const auto found = variables.find(name);
            return found == variables.end() ? "" : found->second;
          }};
}

std::string FileOf(std::string_view name, InstallScope scope, const InstallPlaces& places) {
  const auto client = FindClient(name);
  EXPECT_TRUE(client);
  const auto files = FilesOf(**client, scope, places);
  return files ? files->files[0] : "none";
}

TEST(ClientsTest, EachHasItsFileForTheUser) {
  const auto file = [](std::string_view name, bool macos, const Variables& variables = {}) {
    return FileOf(name, InstallScope::kUser, PlacesWith(macos, variables));
  };
  EXPECT_EQ(file("claude-code", false), "/home/u/.claude.json");
  EXPECT_EQ(file("claude-code", false, {{"CLAUDE_CONFIG_DIR", "/c"}}), "/c/.claude.json");
  EXPECT_EQ(file("claude-desktop", false), "/home/u/.config/Claude/claude_desktop_config.json");
  EXPECT_EQ(file("claude-desktop", true),
            "/home/u/Library/Application Support/Claude/claude_desktop_config.json");
  EXPECT_EQ(file("cursor", false), "/home/u/.cursor/mcp.json");
  EXPECT_EQ(file("windsurf", true), "/home/u/.codeium/windsurf/mcp_config.json");
  EXPECT_EQ(file("vscode", false, {{"XDG_CONFIG_HOME", "/x"}}), "/x/Code/User/mcp.json");
  EXPECT_EQ(file("vscode", false, {{"XDG_CONFIG_HOME", "relative"}}),
            "/home/u/.config/Code/User/mcp.json");
  EXPECT_EQ(file("vscode", true), "/home/u/Library/Application Support/Code/User/mcp.json");
  EXPECT_EQ(file("codex", false), "/home/u/.codex/config.toml");
  EXPECT_EQ(file("codex", false, {{"CODEX_HOME", "/k"}}), "/k/config.toml");
  EXPECT_EQ(file("gemini", false), "/home/u/.gemini/settings.json");
  EXPECT_EQ(file("gemini", false, {{"GEMINI_CLI_HOME", "/g"}}), "/g/.gemini/settings.json");
  EXPECT_EQ(file("opencode", true), "/home/u/.config/opencode/opencode.json");
}

TEST(ClientsTest, SomeHaveAFileForTheProject) {
  const auto file = [](std::string_view name) {
    return FileOf(name, InstallScope::kProject, PlacesWith(false));
  };
  EXPECT_EQ(file("claude-code"), "/src/p/.mcp.json");
  EXPECT_EQ(file("cursor"), "/src/p/.cursor/mcp.json");
  EXPECT_EQ(file("vscode"), "/src/p/.vscode/mcp.json");
  EXPECT_EQ(file("codex"), "/src/p/.codex/config.toml");
  EXPECT_EQ(file("gemini"), "/src/p/.gemini/settings.json");
  EXPECT_EQ(file("opencode"), "/src/p/opencode.json");
  EXPECT_EQ(file("claude-desktop"), "none");
  EXPECT_EQ(file("windsurf"), "none");
}

TEST(ClientsTest, OtherNamesAreHints) {
  const auto hint = [](std::string_view word) {
    const auto client = FindClient(word);
    EXPECT_FALSE(client);
    return client ? "" : std::string(client.error().hint());
  };
  EXPECT_EQ(hint("claude"), "did you mean claude-code or claude-desktop?");
  EXPECT_EQ(hint("code"), "did you mean vscode?");
  EXPECT_EQ(hint("gemini-cli"), "did you mean gemini?");
  EXPECT_EQ(hint("Cursor"), "did you mean cursor?");
  EXPECT_EQ(hint("windsrf"), "did you mean windsurf?");
  EXPECT_TRUE(hint("emacs").starts_with("known: claude-code, ")) << hint("emacs");
}

TEST(ClientsTest, OpencodeTakesOneListAndSaysWhatItIs) {
  ASSERT_OK_AND_ASSIGN(const ClientInfo* opencode, FindClient("opencode"));
  EXPECT_EQ(CanonicalEntry(EntryOf(*opencode, "recall", {"mcp", "--auto"})),
            "{\"command\":[\"recall\",\"mcp\",\"--auto\"],\"enabled\":true,\"type\":\"local\"}");
  ASSERT_OK_AND_ASSIGN(const ClientInfo* vscode, FindClient("vscode"));
  EXPECT_EQ(CanonicalEntry(EntryOf(*vscode, "/r", {"mcp"})),
            "{\"args\":[\"mcp\"],\"command\":\"/r\",\"type\":\"stdio\"}");
  EXPECT_EQ(EntryPathOf(*vscode), (EntryPath{"servers", "recall"}));
}

}  // namespace
}  // namespace recall
