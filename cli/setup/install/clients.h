#pragma once

// The assistants that can start `recall mcp`, where each keeps its settings, and what the entry of
// a server looks like there.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/setup/install/settings_edit.h"
#include "storage/base/result.h"

namespace recall {

// What the places of settings files depend on.
struct InstallPlaces {
  std::string home;
  std::string project;  // the working directory; absolute
  bool macos = false;
  std::function<std::string(const char*)> variable;  // of the environment; "" if it is not set
};

enum class InstallScope { kUser, kProject };

struct ClientInfo {
  std::string_view name;   // "claude-code"
  std::string_view title;  // "Claude Code"
  SettingsFormat format;
  std::string_view group;  // the member of the file that holds all servers
  // Whether servers are started in the directory of the project, so that `recall mcp` finds the
  // store there.
  bool starts_in_project;
  bool has_project_file;
  // What the client replaces by the directory of the project in arguments; "" if it does not.
  std::string_view project_variable;
};

std::span<const ClientInfo> AllClients();
std::vector<std::string> ClientNames();

// Errors: InvalidArgument for a word that is not the name of a client, with a hint.
Result<const ClientInfo*> FindClient(std::string_view word);

// Where a client keeps the settings of a scope.
struct ClientFiles {
  std::string directory;           // exists if the client was ever used
  std::vector<std::string> files;  // the client reads each; the first is made if there is none
};

// One file in a directory that the client makes.
ClientFiles FileIn(const std::string& directory, const std::string& file);

// Errors: InvalidArgument if the client has no project file, or HOME is not set.
Result<ClientFiles> FilesOf(const ClientInfo& client, InstallScope scope,
                            const InstallPlaces& places);

// The entry that starts `program` with `arguments`.
ServerEntry EntryOf(const ClientInfo& client, const std::string& program,
                    const std::vector<std::string>& arguments);

// The path of the entry in the file.
EntryPath EntryPathOf(const ClientInfo& client);

}  // namespace recall
