#include "cli/setup/install/client_parts.h"

#include <gtest/gtest.h>

#include "cli/setup/install/jsonc.h"
#include "cli/setup/install/skill_text.h"
#include "index/subword/token_estimate.h"
#include "tests/test_util.h"

namespace recall {
namespace {

InstallPlaces PartPlaces(const std::string& config_dir = "") {
  return {"/home/u", "/src/p", false, [config_dir](const char* name) {
            return std::string_view(name) == "CLAUDE_CONFIG_DIR" ? config_dir : std::string();
          }};
}

// The file of a part, or why there is none.
std::string FileOfPart(std::string_view name, InstallPart part, InstallScope scope,
                       const InstallPlaces& places = PartPlaces()) {
  const auto client = FindClient(name);
  EXPECT_TRUE(client);
  const auto place = PlaceOf(**client, part, scope, places);
  if (place) return place->files.files.at(0);
  return std::string(place.error().message()) + "; " + std::string(place.error().hint());
}

TEST(ClientPartsTest, HooksAreWhereTheClientReadsThem) {
  const auto file = [](std::string_view name, InstallScope scope,
                       const InstallPlaces& places = PartPlaces()) {
    return FileOfPart(name, InstallPart::kHooks, scope, places);
  };
  EXPECT_EQ(file("claude-code", InstallScope::kUser), "/home/u/.claude/settings.json");
  EXPECT_EQ(file("claude-code", InstallScope::kUser, PartPlaces("/c")), "/c/settings.json");
  EXPECT_EQ(file("claude-code", InstallScope::kProject), "/src/p/.claude/settings.json");
  EXPECT_EQ(file("codex", InstallScope::kUser), "/home/u/.codex/hooks.json");
  EXPECT_EQ(file("codex", InstallScope::kProject), "/src/p/.codex/hooks.json");
  EXPECT_EQ(file("gemini", InstallScope::kUser), "/home/u/.gemini/settings.json");
  EXPECT_EQ(file("cursor", InstallScope::kUser), "/home/u/.cursor/hooks.json");
  EXPECT_EQ(file("cursor", InstallScope::kProject), "/src/p/.cursor/hooks.json");
  EXPECT_EQ(file("opencode", InstallScope::kUser), "/home/u/.config/opencode/plugins/recall.js");
  EXPECT_EQ(file("opencode", InstallScope::kProject), "/src/p/.opencode/plugins/recall.js");
  EXPECT_EQ(file("windsurf", InstallScope::kUser),
            "Windsurf has no hooks that `recall hook` can answer; --hooks is for claude-code, "
            "codex, cursor, gemini and opencode");
}

TEST(ClientPartsTest, TheSkillOrTheInstructionsAreWhereTheClientReadsThem) {
  const auto file = [](std::string_view name, InstallScope scope) {
    return FileOfPart(name, InstallPart::kSkill, scope);
  };
  EXPECT_EQ(file("claude-code", InstallScope::kUser), "/home/u/.claude/skills/recall/SKILL.md");
  EXPECT_EQ(file("claude-code", InstallScope::kProject), "/src/p/.claude/skills/recall/SKILL.md");
  EXPECT_EQ(file("codex", InstallScope::kProject), "/src/p/AGENTS.md");
  EXPECT_EQ(file("cursor", InstallScope::kProject), "/src/p/AGENTS.md");
  EXPECT_EQ(file("opencode", InstallScope::kProject), "/src/p/AGENTS.md");
  EXPECT_EQ(file("gemini", InstallScope::kProject), "/src/p/GEMINI.md");
  EXPECT_TRUE(file("codex", InstallScope::kUser).ends_with("; add --project"));
  EXPECT_NE(file("windsurf", InstallScope::kUser).find("no file is known"), std::string::npos);
}

TEST(ClientPartsTest, EveryHookCallsRecall) {
  ASSERT_OK_AND_ASSIGN(const ClientInfo* const client, FindClient("claude-code"));
  const std::vector<PartEntry> hooks = HookEntriesOf(*client, "recall hook --store x.db");
  ASSERT_EQ(hooks.size(), 7u);
  EXPECT_EQ(CanonicalEntry(hooks[2].entry),
            "{\"hooks\":[{\"command\":\"recall hook --store x.db\",\"timeout\":\"number 10\","
            "\"type\":\"command\"}],\"matcher\":\"Edit|Write|MultiEdit|NotebookEdit\"}");
  std::vector<std::string> events;
  for (const PartEntry& hook : hooks) {
    events.push_back(hook.path.at(1));
    ASSERT_OK_AND_ASSIGN(const auto read, ParseJsonc(CanonicalEntry(hook.entry)));
    EXPECT_EQ(OwnerOfHook(*read), HookOwner::kOurs);
  }
  EXPECT_EQ(events, (std::vector<std::string>{"SessionStart", "UserPromptSubmit", "PreToolUse",
                                              "PostToolUse", "PostToolUseFailure", "PreCompact",
                                              "SessionEnd"}));
}

TEST(ClientPartsTest, GeminiCountsMilliseconds) {
  ASSERT_OK_AND_ASSIGN(const ClientInfo* const client, FindClient("gemini"));
  const std::vector<PartEntry> hooks = HookEntriesOf(*client, "recall hook");
  EXPECT_EQ(hooks[2].path.at(1), "AfterTool");
  EXPECT_EQ(CanonicalEntry(hooks[2].entry),
            "{\"hooks\":[{\"command\":\"recall hook\",\"timeout\":\"number 10000\","
            "\"type\":\"command\"}],\"matcher\":\"run_shell_command\"}");
}

TEST(ClientPartsTest, HooksOfCursorHaveOneLevel) {
  ASSERT_OK_AND_ASSIGN(const ClientInfo* const client, FindClient("cursor"));
  const std::vector<PartEntry> hooks = HookEntriesOf(*client, "recall hook");
  ASSERT_EQ(hooks.size(), 4u);
  EXPECT_EQ(hooks[0].path.at(1), "sessionStart");
  EXPECT_EQ(CanonicalEntry(hooks[0].entry),
            "{\"command\":\"recall hook\",\"timeout\":\"number 10\"}");
  EXPECT_EQ(hooks[2].path.at(1), "postToolUse");
  EXPECT_EQ(CanonicalEntry(hooks[2].entry),
            "{\"command\":\"recall hook\",\"matcher\":\"Shell\",\"timeout\":\"number 10\"}");
  for (const PartEntry& hook : hooks) {
    ASSERT_OK_AND_ASSIGN(const auto read, ParseJsonc(CanonicalEntry(hook.entry)));
    EXPECT_EQ(OwnerOfHook(*read), HookOwner::kOurs);
  }
  EXPECT_EQ(OwnerOfHook(**ParseJsonc("{\"command\": \"./audit.sh\"}")), HookOwner::kOther);
}

TEST(ClientPartsTest, OpencodeRunsAPlugin) {
  ASSERT_OK_AND_ASSIGN(const ClientInfo* const client, FindClient("opencode"));
  const std::vector<PartEntry> hooks = HookEntriesOf(*client, "'/my \"tools\"/recall' hook");
  ASSERT_EQ(hooks.size(), 1u);
  EXPECT_EQ(hooks[0].path, EntryPath{"text"});
  const auto& text = std::get<std::string>(hooks[0].entry.at(0).value);
  EXPECT_NE(text.find("\nconst COMMAND = \"'/my \\\"tools\\\"/recall' hook\"\n"), text.npos)
      << text;
  EXPECT_EQ(text.find("@COMMAND@"), text.npos);
}

TEST(ClientPartsTest, HooksOfOthersAreToldApart) {
  const auto owner = [](const std::string& commands) {
    std::string text = "{\"hooks\":[";
    for (const char c : commands) {
      if (text.back() == '}') text += ",";
      text += c == 'r' ? "{\"command\":\"'/my tools/recall' hook Stop\"}" : "{\"command\":\"x\"}";
    }
    return OwnerOfHook(**ParseJsonc(text + "]}"));
  };
  EXPECT_EQ(owner("r"), HookOwner::kOurs);
  EXPECT_EQ(owner("x"), HookOwner::kOther);
  EXPECT_EQ(owner(""), HookOwner::kOther);
  EXPECT_EQ(owner("xr"), HookOwner::kBoth);
  for (const char* other : {"rerecall hook", "recall hooks", "recall capture", "echo recall"}) {
    const std::string text = "{\"hooks\":[{\"command\":\"" + std::string(other) + "\"}]}";
    EXPECT_EQ(OwnerOfHook(**ParseJsonc(text)), HookOwner::kOther) << other;
  }
}

TEST(ClientPartsTest, TheSkillIsShortAndNamesWhatThereIs) {
  EXPECT_LE(EstimateTokens(kSkillText), 400);
  EXPECT_TRUE(kSkillText.starts_with("---\nname: recall\ndescription: "));
  for (const char* what : {"`search`", "view: memory", "`save`", "recall save TYPE", "`link`",
                           "`retire`", "recall search --view memory", "unless_near"}) {
    EXPECT_NE(kSkillText.find(what), std::string_view::npos) << what;
  }
  ASSERT_OK_AND_ASSIGN(const ClientInfo* const codex, FindClient("codex"));
  const std::vector<PartEntry> instructions = SkillEntriesOf(*codex);
  const auto& text = std::get<std::string>(instructions.at(0).entry.at(0).value);
  EXPECT_TRUE(text.starts_with("# Recall\n")) << text;
  EXPECT_TRUE(kSkillText.ends_with(text));
}

}  // namespace
}  // namespace recall
