// `recall install --hooks --skill`: hooks and instructions get into files of an assistant, beside
// those of others, and out again. The plugin in the repository has the same.

#include <filesystem>
#include <fstream>
#include <sstream>

#include "query/maintenance/build_info.h"
#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

const std::string kPluginDirectory = "cli/setup/plugin/";

std::string FileOfTheTree(const std::string& path) {
  std::ifstream file(SourceDir() + "/" + path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

class InstallPartsTest : public RecallTest {
 protected:
  InstallPartsTest() {
    fs::create_directories(Path("home"));
    fs::create_directories(Path("work"));
  }

  RunResult At(std::vector<std::string> args) {
    return Run(
        std::move(args),
        {.directory = Path("work"),
         .env = {{"HOME", Path("home")},
                 {"PATH", fs::path(RecallBinary()).parent_path().string() + ":/usr/bin:/bin"}}});
  }

  // Every file and directory below, with its bytes.
  std::map<std::string, std::string> Tree(const std::string& name) {
    std::map<std::string, std::string> tree;
    for (const auto& entry : fs::recursive_directory_iterator(Path(name))) {
      const std::string path = entry.path().lexically_relative(Path(name));
      tree[path] = entry.is_regular_file() ? Read(name + "/" + path) : "";
    }
    return tree;
  }
};

TEST_F(InstallPartsTest, ThePluginHasWhatInstallWrites) {
  const RunResult added =
      At({"install", "--project", "--hooks", "--skill", "--allow-write", "claude-code"});
  ASSERT_EQ(added.exit, 0) << added;
  EXPECT_EQ(Read("work/.claude/settings.json"),
            FileOfTheTree(kPluginDirectory + "hooks/hooks.json"));
  EXPECT_EQ(Read("work/.claude/skills/recall/SKILL.md"),
            FileOfTheTree(kPluginDirectory + "skills/recall/SKILL.md"));
  EXPECT_EQ(nlohmann::json::parse(Read("work/.mcp.json")),
            nlohmann::json::parse(FileOfTheTree(kPluginDirectory + ".mcp.json")));

  const auto plugin =
      nlohmann::json::parse(FileOfTheTree(kPluginDirectory + ".claude-plugin/plugin.json"));
  EXPECT_EQ(plugin["name"], "recall");
  EXPECT_TRUE(std::string(BuildInformation().version).starts_with(std::string(plugin["version"])));
  const auto market = nlohmann::json::parse(FileOfTheTree(".claude-plugin/marketplace.json"));
  EXPECT_TRUE(market["owner"]["name"].is_string());
  ASSERT_EQ(market["plugins"].size(), 1u);
  EXPECT_EQ(market["plugins"][0]["name"], plugin["name"]);
  EXPECT_EQ("./" + kPluginDirectory, std::string(market["plugins"][0]["source"]) + "/");
}

TEST_F(InstallPartsTest, EverythingIsAddedOnceAndRemovedToTheByte) {
  Write("home/.claude/settings.json",
        "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"PreToolUse\": [\n"
        "      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": "
        "\"guard\"}]}\n"
        "    ],\n    \"Stop\": []\n  }\n}");
  Write("home/.claude/skills/other/SKILL.md", "---\nname: other\n---\n");
  const auto tree = Tree("home");
  const std::vector<std::string> install = {"install", "--hooks", "--skill", "claude-code"};
  const RunResult added = At(install);
  ASSERT_EQ(added.exit, 0) << added;
  EXPECT_NE(added.out.find("Added hooks of recall to Claude Code: " +
                           Path("home/.claude/settings.json") + "\n"),
            std::string::npos)
      << added;
  const auto settings = nlohmann::json::parse(Read("home/.claude/settings.json"));
  EXPECT_EQ(settings["model"], "opus");
  ASSERT_EQ(settings["hooks"]["PreToolUse"].size(), 2u);
  EXPECT_EQ(settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "guard");
  EXPECT_EQ(settings["hooks"]["PreToolUse"][1]["matcher"], "Edit|Write|MultiEdit|NotebookEdit");
  EXPECT_EQ(settings["hooks"]["PreToolUse"][1]["hooks"][0]["command"], "recall hook");
  EXPECT_EQ(settings["hooks"].size(), 8u);

  const auto installed = Tree("home");
  const RunResult again = At(install);
  EXPECT_EQ(again.exit, 0) << again;
  EXPECT_NE(again.out.find("Claude Code has the hooks already"), std::string::npos) << again;
  EXPECT_NE(again.out.find("Claude Code has the skill already"), std::string::npos) << again;
  EXPECT_EQ(Tree("home"), installed);

  const RunResult removed = At({"uninstall", "claude-code"});
  EXPECT_EQ(removed.exit, 0) << removed;
  EXPECT_NE(removed.out.find("Removed hooks of recall from Claude Code"), std::string::npos)
      << removed;
  EXPECT_EQ(Tree("home"), tree);
}

TEST_F(InstallPartsTest, TheListShowsHooksAndSkillsThatAreThere) {
  EXPECT_EQ(At({"install"}).out.find("\n  hooks"), std::string::npos);
  ASSERT_EQ(At({"install", "--hooks", "--skill", "claude-code"}).exit, 0);
  const RunResult list = At({"install"});
  EXPECT_NE(list.out.find("\n  hooks         installed     " + Path("home/.claude/settings.json") +
                          "\n  skill         installed     "),
            std::string::npos)
      << list;
}

TEST_F(InstallPartsTest, FilesThatWereMadeAreRemoved) {
  ASSERT_EQ(At({"install", "--skill", "claude-code"}).exit, 0);
  ASSERT_EQ(At({"install", "--hooks", "claude-code"}).exit, 0);
  ASSERT_EQ(At({"install", "--hooks", "codex"}).exit, 0);
  EXPECT_NE(Read("home/.codex/hooks.json").find("\"UserPromptSubmit\": ["), std::string::npos);
  ASSERT_EQ(At({"uninstall", "codex", "claude-code"}).exit, 0);
  EXPECT_TRUE(Tree("home").empty());
}

TEST_F(InstallPartsTest, APartIsRemovedAlone) {
  const auto tree = Tree("home");
  ASSERT_EQ(At({"install", "claude-code"}).exit, 0);
  const auto server = Tree("home");
  ASSERT_EQ(At({"install", "--hooks", "--skill", "claude-code"}).exit, 0);
  const RunResult removed = At({"uninstall", "--hooks", "claude-code"});
  EXPECT_EQ(removed.exit, 0) << removed;
  EXPECT_EQ(removed.out, "Removed hooks of recall from Claude Code: " +
                             Path("home/.claude/settings.json") + "\n");
  EXPECT_FALSE(fs::exists(Path("home/.claude/settings.json")));
  EXPECT_TRUE(fs::exists(Path("home/.claude/skills/recall/SKILL.md")));
  EXPECT_EQ(Read("home/.claude.json"), server.at(".claude.json"));
  const RunResult again = At({"uninstall", "--hooks", "claude-code"});
  EXPECT_EQ(again.exit, 0) << again;
  EXPECT_TRUE(again.out.starts_with("Claude Code has no hooks of recall: ")) << again;
  ASSERT_EQ(At({"uninstall", "--skill", "claude-code"}).exit, 0);
  // The directory of both, which the hooks had made, is gone with the last of them.
  EXPECT_FALSE(fs::exists(Path("home/.claude")));
  EXPECT_EQ(Read("home/.claude.json"), server.at(".claude.json"));
  ASSERT_EQ(At({"uninstall", "claude-code"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
}

// The entry and the hooks are in one file, which others have written.
TEST_F(InstallPartsTest, TheHooksOfAFileAreRemovedToTheByte) {
  Write("home/.gemini/settings.json", "{\n  \"theme\": \"dark\" // mine\n}\n");
  const auto tree = Tree("home");
  ASSERT_EQ(At({"install", "gemini"}).exit, 0);
  const std::string server = Read("home/.gemini/settings.json");
  ASSERT_EQ(At({"install", "--hooks", "gemini"}).exit, 0);
  ASSERT_EQ(At({"uninstall", "--hooks", "gemini"}).exit, 0);
  EXPECT_EQ(Read("home/.gemini/settings.json"), server);
  ASSERT_EQ(At({"uninstall", "gemini"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
}

TEST_F(InstallPartsTest, PartsAreToldInOneOrder) {
  ASSERT_EQ(At({"install", "--hooks", "--skill", "claude-code", "gemini"}).exit, 2)
      << "no skill of Gemini CLI for a user";
  ASSERT_EQ(At({"install", "--hooks", "--skill", "claude-code"}).exit, 0);
  ASSERT_EQ(At({"install", "--hooks", "gemini"}).exit, 0);
  const auto parts = [&](std::vector<std::string> args) {
    std::string told;
    const auto answer = At(std::move(args)).Json();
    for (const auto& client : answer["uninstall"]["clients"]) {
      told += std::string(client["client"]) + " " + std::string(client["part"]) + "; ";
    }
    return told;
  };
  EXPECT_EQ(parts({"uninstall", "--dry-run", "gemini", "claude-code", "--json"}),
            "gemini server; gemini hooks; claude-code server; claude-code hooks; "
            "claude-code skill; ");
  EXPECT_EQ(parts({"uninstall", "--skill", "--hooks", "claude-code", "--json"}),
            "claude-code hooks; claude-code skill; ");
  EXPECT_EQ(At({"uninstall", "--skill", "gemini"}).exit, 2) << "there is none for a user";
  EXPECT_EQ(At({"uninstall", "--hooks", "claude-desktop"}).exit, 2);
  EXPECT_EQ(At({"uninstall", "--hooks", "git", "gemini"}).exit, 2);
}

// The entry of the server and the hooks are in one file.
TEST_F(InstallPartsTest, GeminiHasBothInOneFile) {
  for (const char* before : {"", "{}\n", "\n", "{\n  \"theme\": \"dark\" // mine\n}\n"}) {
    SCOPED_TRACE(before);
    const bool exists = *before != '\0';
    if (exists) Write("home/.gemini/settings.json", before);
    const auto tree = Tree("home");
    ASSERT_EQ(At({"install", "--hooks", "gemini"}).exit, 0);
    const std::string both = Read("home/.gemini/settings.json");
    EXPECT_NE(both.find("\"mcpServers\""), both.npos);
    EXPECT_NE(both.find("\"BeforeAgent\""), both.npos);
    const RunResult again = At({"install", "--hooks", "gemini"});
    EXPECT_EQ(again.exit, 0) << again;
    EXPECT_EQ(Read("home/.gemini/settings.json"), both);
    ASSERT_EQ(At({"uninstall", "gemini"}).exit, 0);
    EXPECT_EQ(Tree("home"), tree);
    // In two steps, and with the entry replaced between.
    ASSERT_EQ(At({"install", "gemini"}).exit, 0);
    ASSERT_EQ(At({"install", "--hooks", "--auto", "gemini"}).exit, 0);
    ASSERT_EQ(At({"uninstall", "gemini"}).exit, 0);
    EXPECT_EQ(Tree("home"), tree);
    Erase("home");
    fs::create_directories(Path("home"));
  }
}

TEST_F(InstallPartsTest, OtherOptionsReplaceTheHooks) {
  ASSERT_EQ(At({"init"}).exit, 0);
  Write("home/.claude/settings.json", "{\"hooks\": {}}\n");
  const auto tree = Tree("home");
  const std::vector<std::string> install = {"install", "--hooks", "claude-code"};
  ASSERT_EQ(At(install).exit, 0);
  EXPECT_NE(
      Read("home/.claude/settings.json").find("recall hook --store " + Path("work/recall.db")),
      std::string::npos);
  Write("work/other/x", "");
  ASSERT_EQ(At({"init", "--store", "other/second.db"}).exit, 0);
  const RunResult replaced =
      At({"install", "--hooks", "--store", "other/second.db", "claude-code"});
  EXPECT_EQ(replaced.exit, 0) << replaced;
  EXPECT_NE(replaced.out.find("Replaced the hooks of Claude Code"), std::string::npos) << replaced;
  const std::string text = Read("home/.claude/settings.json");
  EXPECT_EQ(text.find("work/recall.db"), text.npos) << text;
  EXPECT_NE(text.find("recall hook --store " + Path("work/other/second.db")), text.npos) << text;
  ASSERT_EQ(At({"uninstall", "claude-code"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
}

TEST_F(InstallPartsTest, AHookOfAProjectFindsTheStoreFromAnyDirectory) {
  ASSERT_EQ(At({"init"}).exit, 0);
  ASSERT_EQ(At({"install", "--project", "--hooks", "--store", "recall.db", "claude-code"}).exit, 0);
  const auto settings = nlohmann::json::parse(Read("work/.claude/settings.json"));
  EXPECT_EQ(settings["hooks"]["SessionStart"][0]["hooks"][0]["command"],
            "recall hook --store \"$CLAUDE_PROJECT_DIR\"/recall.db");
}

TEST_F(InstallPartsTest, DryRunShowsEveryFileAndWritesNone) {
  Write("home/.claude/settings.json", "{\n  \"model\": \"opus\"\n}\n");
  const auto tree = Tree("home");
  const RunResult shown = At({"install", "--dry-run", "--hooks", "--skill", "claude-code"});
  EXPECT_EQ(shown.exit, 0) << shown;
  for (const char* line : {"Would add recall to Claude Code", "Would add hooks of recall",
                           "+            \"command\": \"recall hook\",",
                           "Would add the skill of recall", "+name: recall"}) {
    EXPECT_NE(shown.out.find(line), std::string::npos) << line << "\n" << shown;
  }
  EXPECT_EQ(Tree("home"), tree);
  const auto clients = At({"install", "--dry-run", "--hooks", "--skill", "claude-code", "--json"})
                           .Json()["install"]["clients"];
  ASSERT_EQ(clients.size(), 3u);
  EXPECT_EQ(clients[0]["part"], "server");
  EXPECT_EQ(clients[1]["part"], "hooks");
  EXPECT_EQ(clients[1]["file"], Path("home/.claude/settings.json"));
  EXPECT_EQ(clients[2]["part"], "skill");
  EXPECT_EQ(Tree("home"), tree);
}

TEST_F(InstallPartsTest, ABrokenSettingsFileChangesNothing) {
  Write("home/.claude/settings.json", "{\n  \"hooks\": {\n    \"Stop\": [\n}\n");
  const auto tree = Tree("home");
  const RunResult refused = At({"install", "--hooks", "claude-code"});
  EXPECT_EQ(refused.exit, 2) << refused;
  EXPECT_NE(refused.err.find("line 4, column 1: " + Path("home/.claude/settings.json")),
            std::string::npos)
      << refused;
  EXPECT_EQ(Tree("home"), tree) << "the entry of the server is not written either";
  // Without hooks, nobody looks at that file.
  ASSERT_EQ(At({"install", "claude-code"}).exit, 0);
  ASSERT_EQ(At({"uninstall", "claude-code"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
}

TEST_F(InstallPartsTest, WhatIsBySomebodyElseStays) {
  Write("home/.claude/skills/recall/SKILL.md", "mine\n");
  Write("home/.claude/settings.json",
        "{\"hooks\": {\"SessionStart\": [{\"hooks\": [{\"type\": \"command\", \"command\": "
        "\"recall hook --quiet\"}]}]}}");
  const auto tree = Tree("home");
  for (const char* part : {"--hooks", "--skill"}) {
    const RunResult refused = At({"install", part, "claude-code"});
    EXPECT_EQ(refused.exit, 3) << refused;
    EXPECT_NE(refused.err.find("--force replaces it"), std::string::npos) << refused;
    EXPECT_EQ(Tree("home"), tree);
  }
  EXPECT_EQ(At({"uninstall", "claude-code"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
  ASSERT_EQ(At({"install", "--force", "--hooks", "--skill", "claude-code"}).exit, 0);
  EXPECT_TRUE(Read("home/.claude/skills/recall/SKILL.md").starts_with("---\nname: recall\n"));
  ASSERT_EQ(At({"uninstall", "claude-code"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
}

TEST_F(InstallPartsTest, AHookThatWasChangedSinceIsNotRemoved) {
  ASSERT_EQ(At({"install", "--hooks", "claude-code"}).exit, 0);
  std::string text = Read("home/.claude/settings.json");
  text.insert(text.find("recall hook", text.find("PreCompact")) + 11, " --quiet");
  Write("home/.claude/settings.json", text);
  const RunResult refused = At({"uninstall", "claude-code"});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_NE(refused.err.find("changed since"), std::string::npos) << refused;
  EXPECT_EQ(Read("home/.claude/settings.json"), text);
  ASSERT_EQ(At({"uninstall", "--force", "claude-code"}).exit, 0);
  EXPECT_TRUE(Tree("home").empty());
}

TEST_F(InstallPartsTest, AssistantsShareTheInstructionsOfAProject) {
  Write("work/AGENTS.md", "# Rules\n\nRun the tests.");
  const auto tree = Tree("work");
  const RunResult added = At({"install", "--project", "--skill", "codex", "cursor", "gemini"});
  ASSERT_EQ(added.exit, 0) << added;
  const std::string text = Read("work/AGENTS.md");
  EXPECT_TRUE(
      text.starts_with("# Rules\n\nRun the tests.\n<!-- >>> recall install >>> -->\n# Recall\n"))
      << text;
  EXPECT_EQ(text.find("# Recall\n", text.find("# Recall\n") + 1), text.npos) << "only once";
  EXPECT_EQ(text.find("name: recall"), text.npos) << "the card is for skills";
  EXPECT_TRUE(Read("work/GEMINI.md").starts_with("<!-- >>> recall install >>> -->\n"));
  // The other one still needs it.
  const RunResult first = At({"uninstall", "--project", "codex"});
  EXPECT_NE(first.out.find("Codex shares the text with another assistant"), std::string::npos)
      << first;
  EXPECT_EQ(Read("work/AGENTS.md"), text);
  ASSERT_EQ(At({"uninstall", "--project", "cursor", "gemini"}).exit, 0);
  EXPECT_EQ(Tree("work"), tree);
  EXPECT_TRUE(Tree("home").empty());
}

TEST_F(InstallPartsTest, CursorHasAFileOfHooks) {
  ASSERT_EQ(At({"init"}).exit, 0);
  const auto home = Tree("home");
  ASSERT_EQ(At({"install", "--hooks", "cursor"}).exit, 0);
  const std::string made = Read("home/.cursor/hooks.json");
  const auto settings = nlohmann::json::parse(made);
  EXPECT_EQ(settings["version"], 1);
  EXPECT_EQ(settings["hooks"]["beforeSubmitPrompt"][0]["command"],
            "recall hook --store " + Path("work/recall.db"));
  EXPECT_EQ(settings["hooks"]["postToolUse"][0]["matcher"], "Shell");
  EXPECT_EQ(At({"install", "--hooks", "cursor"}).exit, 0);
  EXPECT_EQ(Read("home/.cursor/hooks.json"), made);
  ASSERT_EQ(At({"uninstall", "--hooks", "cursor"}).exit, 0);
  EXPECT_FALSE(fs::exists(Path("home/.cursor/hooks.json")));
  ASSERT_EQ(At({"uninstall", "cursor"}).exit, 0);
  EXPECT_EQ(Tree("home"), home);
  // Beside hooks of others, the file stays as it was.
  Write("home/.cursor/hooks.json",
        "{\n  \"version\": 1,\n  \"hooks\": {\n    \"sessionStart\": [{\"command\": "
        "\"./audit.sh\"}]\n  }\n}\n");
  const auto tree = Tree("home");
  ASSERT_EQ(At({"install", "--hooks", "cursor"}).exit, 0);
  const auto both = nlohmann::json::parse(Read("home/.cursor/hooks.json"));
  EXPECT_EQ(both["hooks"]["sessionStart"].size(), 2u);
  ASSERT_EQ(At({"uninstall", "cursor"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
}

// Hooks of a project run in its root.
TEST_F(InstallPartsTest, HooksOfCursorFindTheStoreOfAProject) {
  ASSERT_EQ(At({"init"}).exit, 0);
  ASSERT_EQ(At({"install", "--project", "--hooks", "cursor"}).exit, 0);
  const auto settings = nlohmann::json::parse(Read("work/.cursor/hooks.json"));
  EXPECT_EQ(settings["hooks"]["sessionStart"][0]["command"], "recall hook --store recall.db");
}

TEST_F(InstallPartsTest, OpencodeHasAPlugin) {
  const auto tree = Tree("home");
  ASSERT_EQ(At({"install", "--hooks", "opencode"}).exit, 0);
  const std::string plugin = Read("home/.config/opencode/plugins/recall.js");
  EXPECT_NE(plugin.find("\nconst COMMAND = \"recall hook\"\n"), plugin.npos) << plugin;
  EXPECT_EQ(At({"install", "--hooks", "opencode"}).exit, 0);
  EXPECT_EQ(Read("home/.config/opencode/plugins/recall.js"), plugin);
  ASSERT_EQ(At({"uninstall", "opencode"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
  Write("home/.config/opencode/plugins/recall.js", "// mine\n");
  EXPECT_EQ(At({"install", "--hooks", "opencode"}).exit, 3);
}

TEST_F(InstallPartsTest, PartsThatAClientLacksAreRefused) {
  ASSERT_EQ(At({"init"}).exit, 0);
  const RunResult hooks = At({"install", "--hooks", "vscode"});
  EXPECT_EQ(hooks.exit, 2) << hooks;
  EXPECT_NE(hooks.err.find("--hooks is for claude-code, codex, cursor, gemini and opencode"),
            std::string::npos)
      << hooks;
  const RunResult user = At({"install", "--skill", "codex"});
  EXPECT_EQ(user.exit, 2) << user;
  EXPECT_NE(user.err.find("add --project"), std::string::npos) << user;
  EXPECT_EQ(At({"install", "--hooks"}).exit, 2);
  EXPECT_EQ(At({"install", "--skill", "git"}).exit, 2);
  EXPECT_TRUE(Tree("home").empty());
}

TEST_F(InstallPartsTest, TheInstructionsOfTheServerSayWhatItOffers) {
  ASSERT_EQ(At({"init"}).exit, 0);
  const auto instructions = [&](std::vector<std::string> args) {
    const std::string request =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
        "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n";
    const RunResult result = Run(std::move(args), {.directory = Path("work"), .input = request});
    return std::string(nlohmann::json::parse(result.out)["result"]["instructions"]);
  };
  EXPECT_EQ(instructions({"mcp"}).find("save"), std::string::npos);
  EXPECT_NE(instructions({"mcp", "--allow-write"}).find("Recall before a change"),
            std::string::npos);
}

}  // namespace
}  // namespace recall
