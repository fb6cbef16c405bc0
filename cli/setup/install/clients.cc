#include "cli/setup/install/clients.h"

#include <algorithm>

#include "storage/base/nearest_word.h"

namespace recall {
namespace {

constexpr std::string_view kEntryName = "recall";

constexpr ClientInfo kClients[] = {
    {"claude-code", "Claude Code", SettingsFormat::kJson, "mcpServers", true, true, ""},
    {"claude-desktop", "Claude Desktop", SettingsFormat::kJson, "mcpServers", false, false, ""},
    {"cursor", "Cursor", SettingsFormat::kJson, "mcpServers", false, true, "${workspaceFolder}"},
    {"windsurf", "Windsurf", SettingsFormat::kJson, "mcpServers", false, false, ""},
    {"vscode", "VS Code", SettingsFormat::kJson, "servers", false, true, "${workspaceFolder}"},
    {"codex", "Codex", SettingsFormat::kToml, "mcp_servers", true, true, ""},
    {"gemini", "Gemini CLI", SettingsFormat::kJson, "mcpServers", true, true, ""},
    {"opencode", "opencode", SettingsFormat::kJson, "mcp", true, true, ""},
};

struct OtherClientName {
  std::string_view word;
  std::string_view hint;
};

constexpr OtherClientName kOtherClientNames[] = {
    {"claude", "did you mean claude-code or claude-desktop?"},
    {"claudecode", "did you mean claude-code?"},
    {"desktop", "did you mean claude-desktop?"},
    {"code", "did you mean vscode?"},
    {"vs-code", "did you mean vscode?"},
    {"copilot", "did you mean vscode?"},
    {"gemini-cli", "did you mean gemini?"},
    {"codex-cli", "did you mean codex?"},
    {"open-code", "did you mean opencode?"},
};

std::string Joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// XDG_CONFIG_HOME, or what stands in for it.
std::string ConfigHome(const InstallPlaces& places) {
  const std::string xdg = places.variable("XDG_CONFIG_HOME");
  return xdg.starts_with('/') ? xdg : places.home + "/.config";
}

// The directory of the settings of desktop programs made with Electron.
std::string DesktopHome(const InstallPlaces& places) {
  return places.macos ? places.home + "/Library/Application Support" : ConfigHome(places);
}

std::string VariableOr(const InstallPlaces& places, const char* name, const std::string& other) {
  const std::string value = places.variable(name);
  return value.empty() ? other : value;
}

ClientFiles UserFilesOf(std::string_view client, const InstallPlaces& places) {
  if (client == "claude-code") {
    const std::string moved = places.variable("CLAUDE_CONFIG_DIR");
    if (!moved.empty()) return FileIn(moved, ".claude.json");
    return {places.home + "/.claude", {places.home + "/.claude.json"}};
  }
  if (client == "claude-desktop") {
    return FileIn(DesktopHome(places) + "/Claude", "claude_desktop_config.json");
  }
  if (client == "cursor") return FileIn(places.home + "/.cursor", "mcp.json");
  if (client == "windsurf") return FileIn(places.home + "/.codeium/windsurf", "mcp_config.json");
  if (client == "vscode") return FileIn(DesktopHome(places) + "/Code/User", "mcp.json");
  if (client == "codex") {
    return FileIn(VariableOr(places, "CODEX_HOME", places.home + "/.codex"), "config.toml");
  }
  if (client == "gemini") {
    return FileIn(VariableOr(places, "GEMINI_CLI_HOME", places.home) + "/.gemini", "settings.json");
  }
  const std::string directory = ConfigHome(places) + "/opencode";
  return {directory, {directory + "/opencode.json", directory + "/opencode.jsonc"}};
}

ClientFiles ProjectFilesOf(std::string_view client, const std::string& project) {
  if (client == "claude-code") return {project, {project + "/.mcp.json"}};
  if (client == "cursor") return FileIn(project + "/.cursor", "mcp.json");
  if (client == "vscode") return FileIn(project + "/.vscode", "mcp.json");
  if (client == "codex") return FileIn(project + "/.codex", "config.toml");
  if (client == "gemini") return FileIn(project + "/.gemini", "settings.json");
  return {project, {project + "/opencode.json", project + "/opencode.jsonc"}};
}

}  // namespace

ClientFiles FileIn(const std::string& directory, const std::string& file) {
  return {directory, {directory + "/" + file}};
}

std::span<const ClientInfo> AllClients() { return kClients; }

std::vector<std::string> ClientNames() {
  std::vector<std::string> names;
  for (const ClientInfo& client : kClients) names.emplace_back(client.name);
  return names;
}

Result<const ClientInfo*> FindClient(std::string_view word) {
  const auto* const found = std::ranges::find(kClients, word, &ClientInfo::name);
  if (found != std::end(kClients)) return found;
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  std::string hint;
  for (const OtherClientName& other : kOtherClientNames) {
    if (other.word == lower) hint = other.hint;
  }
  const std::string nearest = hint.empty() ? NearestWord(lower, ClientNames()) : "";
  if (!nearest.empty()) hint = "did you mean " + nearest + "?";
  if (hint.empty()) hint = "known: " + Joined(ClientNames());
  return Fail(Status::InvalidArgument("unknown assistant '" + std::string(word) + "'", hint));
}

Result<ClientFiles> FilesOf(const ClientInfo& client, InstallScope scope,
                            const InstallPlaces& places) {
  if (scope == InstallScope::kProject) {
    if (client.has_project_file) return ProjectFilesOf(client.name, places.project);
    return Fail(Status::InvalidArgument(
        std::string(client.title) + " has no settings file of a project", "leave out --project"));
  }
  if (places.home.empty()) {
    return Fail(Status::InvalidArgument("HOME is not set", "set it to your home directory"));
  }
  return UserFilesOf(client.name, places);
}

ServerEntry EntryOf(const ClientInfo& client, const std::string& program,
                    const std::vector<std::string>& arguments) {
  if (client.name == "opencode") {
    std::vector<std::string> command = {program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return {{"type", "local"}, {"command", command}, {"enabled", true}};
  }
  ServerEntry entry;
  if (client.name == "claude-code" || client.name == "vscode") entry.push_back({"type", "stdio"});
  entry.push_back({"command", program});
  entry.push_back({"args", arguments});
  return entry;
}

EntryPath EntryPathOf(const ClientInfo& client) {
  return {std::string(client.group), std::string(kEntryName)};
}

}  // namespace recall
