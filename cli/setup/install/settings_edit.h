#pragma once

// Edits of a settings file of another program, as text: an entry is inserted, and everything else
// stays as it is, to the byte. All functions are pure and accept any bytes.

#include <optional>
#include <string>
#include <string_view>

#include "cli/setup/install/server_entry.h"
#include "storage/base/result.h"

namespace recall {

enum class SettingsFormat {
  kJson,
  kToml,
  kText,      // the whole file is the entry {"text": ...}, whose path is {"text"}
  kMarkdown,  // lines between two marker lines are the entry {"text": ...}
};

// The entry in the text, as canonical JSON; nothing if there is none. Errors: InvalidArgument, with
// the position, if the text is not in the format or something else is where the entry belongs.
Result<std::optional<std::string>> FindEntry(SettingsFormat format, std::string_view text,
                                             const EntryPath& path);

// Inserts the entry, in the style of what is around it. Requires: FindEntry found none. Errors:
// those of FindEntry; Unsupported if the text must be edited by hand.
Result<SettingsEdit> AddEntry(SettingsFormat format, std::string_view text, const EntryPath& path,
                              const ServerEntry& entry);

// Puts the entry in the place of the one that is there. Requires: FindEntry found one. Errors:
// those of AddEntry.
Result<SettingsEdit> ReplaceEntry(SettingsFormat format, std::string_view text,
                                  const EntryPath& path, const ServerEntry& entry);

// Removes the entry. With what `added` says, the text is as it was before AddEntry or ReplaceEntry,
// apart from what was changed elsewhere meanwhile; `added` may be null. Requires: FindEntry found
// an entry. Errors: those of AddEntry.
Result<std::string> TakeEntry(SettingsFormat format, std::string_view text, const EntryPath& path,
                              const AddedText* added);

// Whether the text holds nothing: no values and no comments, apart from an empty JSON object.
bool HoldsNothing(SettingsFormat format, std::string_view text);

}  // namespace recall
