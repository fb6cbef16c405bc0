#include "cli/setup/install/client_parts.h"

#include <algorithm>
#include <span>

#include "cli/setup/install/entry_text.h"
#include "cli/setup/install/jsonc.h"
#include "cli/setup/install/opencode_plugin.h"
#include "cli/setup/install/skill_text.h"

namespace recall {
namespace {

// `recall hook` ends by itself after two seconds. The client ends it if even that fails.
constexpr int64_t kHookSeconds = 10;

struct ClientHook {
  std::string_view event;    // as the client calls it, and tells it to the program
  std::string_view matcher;  // a regular expression of names of tools; "": none
};

// A command that fails has an event of its own, which older versions do not have.
constexpr ClientHook kClaudeHooks[] = {
    {"SessionStart", ""},
    {"UserPromptSubmit", ""},
    {"PreToolUse", "Edit|Write|MultiEdit|NotebookEdit"},
    {"PostToolUse", "Bash"},
    {"PostToolUseFailure", "Bash"},
    {"PreCompact", ""},
    {"SessionEnd", ""},
};

// The input of PreToolUse is a patch there, which names its files in the text. A session has no
// end, but each turn has.
constexpr ClientHook kCodexHooks[] = {{"SessionStart", ""},
                                      {"UserPromptSubmit", ""},
                                      {"PostToolUse", "Bash"},
                                      {"PreCompact", ""},
                                      {"Stop", ""}};

// What a hook answers before a tool does not reach the model there.
constexpr ClientHook kGeminiHooks[] = {{"SessionStart", ""},
                                       {"BeforeAgent", ""},
                                       {"AfterTool", "run_shell_command"},
                                       {"PreCompress", ""},
                                       {"SessionEnd", ""}};

// Its conversations are in one database, which is not read at each end of one. What is answered
// before a tool could stop it there.
constexpr ClientHook kCursorHooks[] = {{"sessionStart", ""},
                                       {"beforeSubmitPrompt", ""},
                                       {"postToolUse", "Shell"},
                                       {"postToolUseFailure", "Shell"}};

// The version of the form of Cursor's file.
constexpr std::string_view kCursorSeed = "{\n  \"version\": 1\n}\n";

std::span<const ClientHook> HooksOf(const ClientInfo& client) {
  if (client.name == "claude-code") return kClaudeHooks;
  if (client.name == "codex") return kCodexHooks;
  if (client.name == "gemini") return kGeminiHooks;
  if (client.name == "cursor") return kCursorHooks;
  return {};
}

// The number that means kHookSeconds.
int64_t TimeoutOf(const ClientInfo& client) {
  return client.name == "gemini" ? kHookSeconds * 1000 : kHookSeconds;
}

// The file in the project that a client reads at the beginning of each conversation; "" if none is
// known.
std::string_view InstructionsFileOf(const ClientInfo& client) {
  if (client.name == "gemini") return "GEMINI.md";
  const bool reads_agents =
      client.name == "codex" || client.name == "cursor" || client.name == "opencode";
  return reads_agents ? "AGENTS.md" : "";
}

// The directory of Claude Code's settings and skills.
std::string ClaudeDirectory(InstallScope scope, const InstallPlaces& places) {
  if (scope == InstallScope::kProject) return places.project + "/.claude";
  const std::string moved = places.variable("CLAUDE_CONFIG_DIR");
  return moved.empty() ? places.home + "/.claude" : moved;
}

// An item of the hooks of Claude Code, and of those who took over its form.
ServerEntry HookEntry(const ClientHook& hook, const std::string& command, int64_t timeout) {
  ServerEntry call;
  call.push_back({"type", "command"});
  call.push_back({"command", command});
  call.push_back({"timeout", timeout});
  ServerEntry item;
  if (!hook.matcher.empty()) item.push_back({"matcher", std::string(hook.matcher)});
  item.push_back({"hooks", std::vector<ServerEntry>{std::move(call)}});
  return item;
}

ServerEntry CursorHookEntry(const ClientHook& hook, const std::string& command) {
  ServerEntry item;
  item.push_back({"command", command});
  item.push_back({"timeout", kHookSeconds});
  if (!hook.matcher.empty()) item.push_back({"matcher", std::string(hook.matcher)});
  return item;
}

// The plugin, with the command as a string of JavaScript.
std::string PluginThatRuns(const std::string& command) {
  constexpr std::string_view kPlaceOfCommand = "\"@COMMAND@\"";
  std::string text(kOpencodePlugin);
  return text.replace(text.find(kPlaceOfCommand), kPlaceOfCommand.size(), QuotedText(command));
}

// The entries of a part that is a text.
std::vector<PartEntry> OneText(std::string text) {
  PartEntry entry{{"text"}, {}};
  entry.entry.push_back({"text", std::move(text)});
  std::vector<PartEntry> entries;
  entries.push_back(std::move(entry));
  return entries;
}

Result<PartPlace> PlaceOfHooks(const ClientInfo& client, InstallScope scope,
                               const InstallPlaces& places, const ClientFiles& server) {
  if (client.name == "claude-code") {
    return PartPlace{SettingsFormat::kJson,
                     FileIn(ClaudeDirectory(scope, places), "settings.json")};
  }
  if (client.name == "codex") {
    return PartPlace{SettingsFormat::kJson, FileIn(server.directory, "hooks.json")};
  }
  if (client.name == "gemini") return PartPlace{SettingsFormat::kJson, server};
  if (client.name == "cursor") {
    return PartPlace{SettingsFormat::kJson, FileIn(server.directory, "hooks.json"),
                     std::string(kCursorSeed)};
  }
  if (client.name == "opencode") {
    const bool in_project = scope == InstallScope::kProject;
    return PartPlace{
        SettingsFormat::kText,
        FileIn(in_project ? places.project + "/.opencode" : server.directory, "plugins/recall.js")};
  }
  return Fail(Status::InvalidArgument(
      std::string(client.title) + " has no hooks that `recall hook` can answer",
      "--hooks is for claude-code, codex, cursor, gemini and opencode"));
}

Result<PartPlace> PlaceOfSkill(const ClientInfo& client, InstallScope scope,
                               const InstallPlaces& places) {
  if (client.name == "claude-code") {
    return PartPlace{SettingsFormat::kText,
                     FileIn(ClaudeDirectory(scope, places), "skills/recall/SKILL.md")};
  }
  const std::string file(InstructionsFileOf(client));
  if (file.empty()) {
    return Fail(Status::InvalidArgument(
        "no file is known from which " + std::string(client.title) + " reads instructions",
        "--skill is for claude-code, and with --project for codex, cursor, gemini and opencode"));
  }
  if (scope == InstallScope::kUser) {
    return Fail(Status::InvalidArgument("the instructions of " + std::string(client.title) +
                                            " are put into " + file + " of a project only",
                                        "add --project"));
  }
  return PartPlace{SettingsFormat::kMarkdown, FileIn(places.project, file)};
}

}  // namespace

std::string_view NameOfPart(InstallPart part) {
  switch (part) {
    case InstallPart::kServer:
      return "server";
    case InstallPart::kHooks:
      return "hooks";
    case InstallPart::kSkill:
      return "skill";
  }
  return "";
}

Result<PartPlace> PlaceOf(const ClientInfo& client, InstallPart part, InstallScope scope,
                          const InstallPlaces& places) {
  RECALL_ASSIGN(ClientFiles server, FilesOf(client, scope, places));
  if (part == InstallPart::kHooks) return PlaceOfHooks(client, scope, places, server);
  if (part == InstallPart::kSkill) return PlaceOfSkill(client, scope, places);
  return PartPlace{client.format, std::move(server)};
}

std::vector<EntryPath> PathsOf(const ClientInfo& client, InstallPart part) {
  if (part == InstallPart::kServer) return {EntryPathOf(client)};
  if (part == InstallPart::kSkill || client.name == "opencode") return {{"text"}};
  std::vector<EntryPath> paths;
  for (const ClientHook& hook : HooksOf(client)) {
    paths.push_back({"hooks", std::string(hook.event), std::string(kHookStep)});
  }
  return paths;
}

std::vector<PartEntry> HookEntriesOf(const ClientInfo& client, const std::string& command) {
  if (client.name == "opencode") return OneText(PluginThatRuns(command));
  std::vector<PartEntry> entries;
  for (const ClientHook& hook : HooksOf(client)) {
    entries.push_back({{"hooks", std::string(hook.event), std::string(kHookStep)},
                       client.name == "cursor" ? CursorHookEntry(hook, command)
                                               : HookEntry(hook, command, TimeoutOf(client))});
  }
  return entries;
}

std::vector<PartEntry> SkillEntriesOf(const ClientInfo& client) {
  std::string_view text = kSkillText;
  if (client.name != "claude-code") {
    constexpr std::string_view kEndOfCard = "\n---\n\n";
    text.remove_prefix(text.find(kEndOfCard) + kEndOfCard.size());
  }
  return OneText(std::string(text));
}

}  // namespace recall
