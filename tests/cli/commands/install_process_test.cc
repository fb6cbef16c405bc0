// `recall install` and `recall uninstall`: what happens to the files of a user.

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "cli/setup/install/clients.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/setup/install/random_settings.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class InstallCommandTest : public RecallTest {
 protected:
  InstallCommandTest() { fs::create_directories(Path("home")); }

  // Runs in the project directory `work`, with the program on the PATH.
  RunResult At(std::vector<std::string> args, std::map<std::string, std::string> env = {}) {
    fs::create_directories(Path("work"));
    env.try_emplace("HOME", Path("home"));
    env.try_emplace("PATH", fs::path(RecallBinary()).parent_path().string() + ":/usr/bin:/bin");
    return Run(std::move(args), {.directory = Path("work"), .env = std::move(env)});
  }

  nlohmann::ordered_json Client(std::vector<std::string> args) {
    args.push_back("--json");
    const std::string verb = args[0];
    const RunResult result = At(std::move(args));
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()[verb]["clients"][0];
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

  static mode_t ModeOf(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 07777;
  }
};

TEST_F(InstallCommandTest, TheEntryNamesTheStoreThatIsFound) {
  ASSERT_EQ(At({"init"}).exit, 0);
  const RunResult added = At({"install", "cursor"});
  EXPECT_EQ(added.exit, 0) << added;
  EXPECT_EQ(added.out, "Added recall to Cursor: " + Path("home/.cursor/mcp.json") + "\n");
  const std::string text = Read("home/.cursor/mcp.json");
  EXPECT_EQ(text,
            "{\n  \"mcpServers\": {\n    \"recall\": {\n      \"command\": \"recall\",\n"
            "      \"args\": [\"mcp\", \"--store\", \"" +
                Path("work/recall.db") + "\"]\n    }\n  }\n}\n");
  const RunResult again = At({"install", "cursor"});
  EXPECT_EQ(again.exit, 0) << again;
  EXPECT_EQ(again.out, "Cursor has the entry already: " + Path("home/.cursor/mcp.json") + "\n");
  EXPECT_EQ(Read("home/.cursor/mcp.json"), text);

  const RunResult removed = At({"uninstall", "cursor"});
  EXPECT_EQ(removed.out, "Removed recall from Cursor: " + Path("home/.cursor/mcp.json") + "\n");
  EXPECT_TRUE(Tree("home").empty());
  const RunResult nothing = At({"uninstall", "cursor"});
  EXPECT_EQ(nothing.exit, 0) << nothing;
  EXPECT_EQ(nothing.out, "Cursor has no entry for recall: " + Path("home/.cursor/mcp.json") + "\n");
}

TEST_F(InstallCommandTest, WithoutAStoreTheProjectOfTheAssistantDecides) {
  const auto code = Client({"install", "claude-code"});
  EXPECT_EQ(code["command"].dump(), "[\"recall\",\"mcp\"]");
  EXPECT_EQ(code["action"], "add");
  EXPECT_EQ(code["entry"], "absent");
  EXPECT_EQ(code["found"], false);
  EXPECT_EQ(code["file"], Path("home/.claude.json"));
  // This one starts programs elsewhere.
  const RunResult desktop = At({"install", "codex", "claude-desktop"});
  EXPECT_EQ(desktop.exit, 3) << desktop;
  EXPECT_NE(desktop.err.find("--store"), std::string::npos) << desktop;
  EXPECT_FALSE(fs::exists(Path("home/.codex"))) << "all are examined before one is written";
  const RunResult wrong = At({"install", "claude-code", "--store", "nowhere.db"});
  EXPECT_EQ(wrong.exit, 3) << wrong;
}

TEST_F(InstallCommandTest, OptionsAreThoseOfMcpAndMayBeChanged) {
  Write("home/.codex/config.toml", "model = \"o3\"");
  ASSERT_EQ(
      Client({"install", "codex", "--scope", "doc.tag = 'a'", "--allow-write"})["command"].dump(),
      "[\"recall\",\"mcp\",\"--scope\",\"doc.tag = 'a'\",\"--allow-write\"]");
  EXPECT_EQ(Read("home/.codex/config.toml"),
            "model = \"o3\"\n\n[mcp_servers.recall]\ncommand = \"recall\"\n"
            "args = [\"mcp\", \"--scope\", \"doc.tag = 'a'\", \"--allow-write\"]");
  EXPECT_EQ(Client({"install", "codex", "--auto"})["action"], "replace");
  EXPECT_EQ(Read("home/.codex/config.toml"),
            "model = \"o3\"\n\n[mcp_servers.recall]\ncommand = \"recall\"\n"
            "args = [\"mcp\", \"--auto\"]");
  EXPECT_EQ(Client({"uninstall", "codex"})["action"], "remove");
  EXPECT_EQ(Tree("home"), (std::map<std::string, std::string>{
                              {".codex", ""}, {".codex/config.toml", "model = \"o3\""}}));
  const RunResult filter = At({"install", "codex", "--scope", "doc.tag = "});
  EXPECT_EQ(filter.exit, 2) << filter;
}

TEST_F(InstallCommandTest, AnotherProgramOfThatNameIsNotStarted) {
  const RunResult result = At({"install", "gemini", "--json"}, {{"PATH", "/usr/bin:/bin"}});
  EXPECT_EQ(result.Json()["install"]["clients"][0]["command"][0],
            fs::canonical(RecallBinary()).string());
}

TEST_F(InstallCommandTest, LinksPermissionsAndACopyAreKept) {
  const std::string before = "{\n\t\"mcpServers\": {} // none\n}";
  Write("home/dotfiles/cursor.json", before);
  ASSERT_EQ(::chmod(Path("home/dotfiles/cursor.json").c_str(), 0640), 0);
  fs::create_directories(Path("home/.cursor"));
  fs::create_symlink("../dotfiles/cursor.json", Path("home/.cursor/mcp.json"));
  ASSERT_EQ(At({"init"}).exit, 0);
  const auto tree = Tree("home");
  const auto cursor = Client({"install", "cursor"});
  EXPECT_TRUE(fs::is_symlink(Path("home/.cursor/mcp.json")));
  EXPECT_EQ(ModeOf(Path("home/dotfiles/cursor.json")), 0640u);
  const std::string backup = cursor["backup"];
  EXPECT_TRUE(backup.starts_with(Path("home/dotfiles/cursor.json.recall-backup-"))) << backup;
  EXPECT_EQ(Read(fs::path(backup).lexically_relative(directory())), before);
  EXPECT_EQ(ModeOf(backup), 0640u);
  EXPECT_EQ(ModeOf(Path("home/.local/state/recall/install.json")), 0600u);
  ASSERT_EQ(At({"uninstall", "cursor"}).exit, 0);
  EXPECT_EQ(Tree("home"), tree);
  EXPECT_EQ(ModeOf(Path("home/dotfiles/cursor.json")), 0640u);
  // A link that leads nowhere is not replaced by a file.
  Erase("home/dotfiles");
  const RunResult lost = At({"install", "cursor"});
  EXPECT_EQ(lost.exit, 2) << lost;
  EXPECT_TRUE(fs::is_symlink(Path("home/.cursor/mcp.json")));
}

TEST_F(InstallCommandTest, AnEntryOfSomebodyElseIsPutBack) {
  const std::string before =
      "{\"mcpServers\": {\"recall\": {\"command\": \"mine\", \"env\": {\"A\": \"1\"}}}}\n";
  Write("home/.gemini/settings.json", before);
  const auto tree = Tree("home");
  for (const char* verb : {"install", "uninstall"}) {
    const RunResult refused = At({verb, "gemini"});
    EXPECT_EQ(refused.exit, 3) << refused;
    EXPECT_NE(refused.err.find("--force"), std::string::npos) << refused;
    EXPECT_EQ(Tree("home"), tree);
  }
  EXPECT_EQ(Client({"install", "gemini", "--force"})["action"], "replace");
  EXPECT_EQ(Client({"install", "gemini", "--auto"})["action"], "replace");
  EXPECT_NE(Read("home/.gemini/settings.json").find("--auto"), std::string::npos);
  EXPECT_EQ(Client({"uninstall", "gemini"})["entry"], "installed");
  EXPECT_EQ(Tree("home"), tree);
  EXPECT_EQ(Client({"uninstall", "gemini", "--force"})["entry"], "other");
  EXPECT_EQ(Read("home/.gemini/settings.json"), "{\"mcpServers\": {}}\n");
}

TEST_F(InstallCommandTest, WhatWasChangedSinceStays) {
  Write("home/.gemini/settings.json", "{\n  \"theme\": \"dark\"\n}\n");
  ASSERT_EQ(At({"install", "gemini"}).exit, 0);
  // Another program writes the file again, in its own style and with a change elsewhere.
  Write("home/.gemini/settings.json",
        "{\"theme\":\"light\",\"mcpServers\":{\"recall\":{\"args\":[\"mcp\"],\"command\":"
        "\"recall\"}}}");
  EXPECT_EQ(Client({"install"})["client"], "claude-code");
  ASSERT_EQ(At({"uninstall", "gemini"}).exit, 0);
  EXPECT_EQ(Read("home/.gemini/settings.json"), "{\"theme\":\"light\"}");

  ASSERT_EQ(At({"install", "gemini"}).exit, 0);
  std::string edited = Read("home/.gemini/settings.json");
  edited.insert(edited.find("\"mcp\"") + 5, ",\"--verbose\"");
  Write("home/.gemini/settings.json", edited);
  for (const char* verb : {"install", "uninstall"}) {
    const RunResult refused = At({verb, "gemini"});
    EXPECT_EQ(refused.exit, 3) << refused;
    EXPECT_NE(refused.err.find("changed since"), std::string::npos) << refused;
  }
  EXPECT_EQ(Read("home/.gemini/settings.json"), edited);
  ASSERT_EQ(At({"uninstall", "gemini", "--force"}).exit, 0);
  EXPECT_EQ(Read("home/.gemini/settings.json"), "{\"theme\":\"light\"}");
  EXPECT_FALSE(fs::exists(Path("home/.local")));
}

TEST_F(InstallCommandTest, AFileThatDoesNotParseIsRefusedWithThePlace) {
  Write("home/.gemini/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n");
  Write("home/.codex/config.toml", "a = 1\nb = [\n");
  const auto tree = Tree("home");
  const RunResult json = At({"install", "gemini"});
  EXPECT_EQ(json.exit, 2) << json;
  EXPECT_NE(json.err.find("line 3, column 3: " + Path("home/.gemini/settings.json") +
                          ": a comma or '}' is missing"),
            std::string::npos)
      << json;
  const RunResult toml = At({"install", "codex"});
  EXPECT_EQ(toml.exit, 2) << toml;
  EXPECT_NE(toml.err.find(Path("home/.codex/config.toml") + ":"), std::string::npos) << toml;
  Write("home/.codex/config.toml", "mcp_servers = {}\n");
  EXPECT_EQ(At({"install", "codex", "--json"}).exit, 4);
  Write("home/.codex/config.toml", "a = 1\nb = [\n");
  EXPECT_EQ(Tree("home"), tree);
  // The list goes on.
  const RunResult list = At({"install", "--json"});
  EXPECT_EQ(list.exit, 0) << list;
  std::map<std::string, std::string> states;
  const auto answer = list.Json();
  for (const auto& client : answer["install"]["clients"]) {
    states[client["client"]] = client["entry"];
  }
  EXPECT_EQ(states.size(), 8u);
  EXPECT_EQ(states["gemini"], "unreadable");
  EXPECT_EQ(states["cursor"], "absent");
}

TEST_F(InstallCommandTest, DryRunShowsTheDifferenceAndWritesNothing) {
  Write("home/.gemini/settings.json", "{\n  \"theme\": \"dark\"\n}\n");
  const auto tree = Tree("home");
  const RunResult shown = At({"install", "--dry-run", "gemini", "claude-code"});
  EXPECT_EQ(shown.exit, 0) << shown;
  const std::string file = Path("home/.gemini/settings.json");
  EXPECT_TRUE(shown.out.starts_with("Would add recall to Gemini CLI: " + file + "\n--- " + file +
                                    "\n+++ " + file +
                                    "\n@@ -1,3 +1,9 @@\n {\n-  \"theme\": \"dark\"\n"
                                    "+  \"theme\": \"dark\",\n+  \"mcpServers\": {\n"))
      << shown;
  EXPECT_NE(shown.out.find("--- /dev/null\n"), std::string::npos) << shown;
  EXPECT_EQ(Tree("home"), tree);
  ASSERT_EQ(At({"install", "gemini"}).exit, 0);
  const auto installed = Tree("home");
  EXPECT_NE(Client({"uninstall", "--dry-run", "gemini"})["diff"].dump().find("-  \\\"mcpServers"),
            std::string::npos);
  EXPECT_EQ(Tree("home"), installed);
}

TEST_F(InstallCommandTest, AProjectFileHoldsNoPathOfThisMachine) {
  ASSERT_EQ(At({"init"}).exit, 0);
  const auto command = [&](const std::string& client, std::vector<std::string> more) {
    more.insert(more.begin(), {"install", "--project", "--dry-run", client});
    return Client(more)["command"].dump();
  };
  EXPECT_EQ(command("claude-code", {}), "[\"recall\",\"mcp\"]");
  EXPECT_EQ(command("claude-code", {"--store", "."}),
            "[\"recall\",\"mcp\",\"--store\",\"recall.db\"]");
  EXPECT_EQ(command("vscode", {}),
            "[\"recall\",\"mcp\",\"--store\",\"${workspaceFolder}/recall.db\"]");
  const auto tree = Tree("work");
  for (const char* client : {"claude-code", "cursor", "vscode", "codex", "gemini", "opencode"}) {
    const auto added = Client({"install", "--project", client});
    EXPECT_EQ(added["scope"], "project");
    EXPECT_TRUE(fs::exists(std::string(added["file"]))) << added;
    EXPECT_NE(Tree("work"), tree);
    ASSERT_EQ(At({"uninstall", "--project", client}).exit, 0);
    EXPECT_EQ(Tree("work"), tree) << client;
  }
  EXPECT_EQ(At({"install", "--project", "windsurf"}).exit, 2);
  EXPECT_TRUE(Tree("home").empty());
}

// A file of the user with random contents for every assistant, all at once.
TEST_F(InstallCommandTest, UninstallingRestoresEveryFile) {
  ASSERT_EQ(At({"init"}).exit, 0);
  std::mt19937_64 random(TestSeed(7));
  const InstallPlaces places = {Path("home"), Path("work"), false,
                                [](const char*) { return std::string(); }};
  for (int round = 0; round < 6; ++round) {
    Erase("home");
    fs::create_directories(Path("home"));
    std::vector<std::string> install = {"install"};
    for (const ClientInfo& client : AllClients()) {
      const auto files = FilesOf(client, InstallScope::kUser, places);
      const std::string file = fs::path(files->files[0]).lexically_relative(directory());
      const std::string group(client.group);
      if (client.format == SettingsFormat::kToml) {
        Write(file, "model = \"x\"\r\n");
      } else if (random() % 4 != 0) {
        Write(file, RandomJsonSettings(group, random));
      }
      install.emplace_back(client.name);
    }
    const auto tree = Tree("home");
    const RunResult added = At(install);
    ASSERT_EQ(added.exit, 0) << added;
    std::vector<std::string> uninstall = install;
    uninstall[0] = "uninstall";
    std::shuffle(uninstall.begin() + 1, uninstall.end(), random);
    const RunResult removed = At(uninstall);
    ASSERT_EQ(removed.exit, 0) << removed;
    ASSERT_EQ(Tree("home"), tree);
  }
}

TEST_F(InstallCommandTest, AFailureChangesNothing) {
  Write("home/.gemini/settings.json", "{}\n");
  fs::permissions(Path("home"), fs::perms::all);
  fs::permissions(Path("home/.gemini"), fs::perms(0555));
  const auto tree = Tree("home");
  const RunResult refused =
      Run({"install", "gemini"}, {.env = {{"HOME", Path("home")}}, .unprivileged = true});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_EQ(Tree("home"), tree);
  // No file may grow: as on a full disk.
  fs::permissions(Path("home/.gemini"), fs::perms(0755));
  const ShellResult full =
      RunShell("export HOME=" + Path("home") + "; ulimit -f 0; recall install gemini", directory());
  EXPECT_EQ(full.exit, 3) << full.out;
  EXPECT_EQ(Tree("home"), tree);
  // Here the record is the first file that cannot be written.
  const ShellResult fresh =
      RunShell("export HOME=" + Path("home") + "; ulimit -f 0; recall install codex", directory());
  EXPECT_EQ(fresh.exit, 3) << fresh.out;
  EXPECT_EQ(Tree("home"), tree);
  // After a kill between the record and the file, both commands go on.
  ASSERT_EQ(At({"install", "gemini"}).exit, 0);
  Write("home/.gemini/settings.json", "{}\n");
  EXPECT_EQ(Client({"install", "gemini"})["action"], "add");
  Write("home/.gemini/settings.json", "{}\n");
  EXPECT_EQ(Client({"uninstall", "gemini"})["action"], "none");
  EXPECT_FALSE(fs::exists(Path("home/.local")));
}

TEST_F(InstallCommandTest, DamagedRecordsAreNamed) {
  Write("home/.local/state/recall/install.json", "{\"installed\": 1}");
  const RunResult result = At({"install", "gemini"});
  EXPECT_EQ(result.exit, 2) << result;
  EXPECT_NE(result.err.find(Path("home/.local/state/recall/install.json")), std::string::npos);
  EXPECT_FALSE(fs::exists(Path("home/.gemini")));
}

TEST_F(InstallCommandTest, NamesAreChecked) {
  const RunResult claude = At({"install", "claude"});
  EXPECT_EQ(claude.exit, 2) << claude;
  EXPECT_NE(claude.err.find("claude-code or claude-desktop"), std::string::npos) << claude;
  EXPECT_EQ(At({"install", "--force"}).exit, 2);
  EXPECT_EQ(At({"uninstall"}).exit, 2);
}

}  // namespace
}  // namespace recall
