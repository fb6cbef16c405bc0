#pragma once

// What `recall install` can put into the files of an assistant beside the entry of the server:
// hooks that call `recall hook`, and a text that says when to recall and when to save.

#include <string>
#include <string_view>
#include <vector>

#include "cli/setup/install/clients.h"
#include "cli/setup/install/settings_edit.h"
#include "storage/base/result.h"

namespace recall {

enum class InstallPart { kServer, kHooks, kSkill };

// "server", "hooks" or "skill".
std::string_view NameOfPart(InstallPart part);

struct PartPlace {
  SettingsFormat format = SettingsFormat::kJson;
  ClientFiles files;
  std::string seed = {};  // what a file that is made holds before its entries
};

// Errors: those of FilesOf; InvalidArgument, with a hint, if the client has no such part in this
// scope.
Result<PartPlace> PlaceOf(const ClientInfo& client, InstallPart part, InstallScope scope,
                          const InstallPlaces& places);

// An entry and where it belongs in the file.
struct PartEntry {
  EntryPath path;
  ServerEntry entry;
};

// The paths of all entries of a part, in the order in which they are added. Requires: the client
// has the part.
std::vector<EntryPath> PathsOf(const ClientInfo& client, InstallPart part);

// The hooks of a client, which run `command` in a shell: "recall hook". The client, or a plugin of
// ours, writes the event to its standard input, which says which event it is.
std::vector<PartEntry> HookEntriesOf(const ClientInfo& client, const std::string& command);

// The skill of the program, or for a file of instructions the skill without its card.
std::vector<PartEntry> SkillEntriesOf(const ClientInfo& client);

}  // namespace recall
