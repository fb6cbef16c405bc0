#pragma once

// The functions of settings_edit.h for TOML. The entry is a table of its own, at the end of the
// text: [mcp_servers.recall].

#include <optional>
#include <string>
#include <string_view>

#include "cli/setup/install/server_entry.h"
#include "storage/base/result.h"

namespace recall {

Result<std::optional<std::string>> FindTomlEntry(std::string_view text, const EntryPath& path);
Result<SettingsEdit> AddTomlEntry(std::string_view text, const EntryPath& path,
                                  const ServerEntry& entry);
Result<SettingsEdit> ReplaceTomlEntry(std::string_view text, const EntryPath& path,
                                      const ServerEntry& entry);
Result<std::string> TakeTomlEntry(std::string_view text, const EntryPath& path,
                                  const AddedText* added);

}  // namespace recall
