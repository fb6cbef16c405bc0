#pragma once

// The functions of settings_edit.h for JSON with comments.

#include <optional>
#include <string>
#include <string_view>

#include "cli/setup/install/server_entry.h"
#include "storage/base/result.h"

namespace recall {

Result<std::optional<std::string>> FindJsonEntry(std::string_view text, const EntryPath& path);
Result<SettingsEdit> AddJsonEntry(std::string_view text, const EntryPath& path,
                                  const ServerEntry& entry);
Result<SettingsEdit> ReplaceJsonEntry(std::string_view text, const EntryPath& path,
                                      const ServerEntry& entry);
Result<std::string> TakeJsonEntry(std::string_view text, const EntryPath& path,
                                  const AddedText* added);

}  // namespace recall
