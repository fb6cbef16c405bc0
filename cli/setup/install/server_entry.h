#pragma once

// What is put into the settings of another program: the entry of an MCP server, a hook, or a text;
// and what the edits say that put it there.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace recall {

struct EntryField;

// The members of an entry, in the order in which they are written.
using ServerEntry = std::vector<EntryField>;

struct EntryField {
  std::string name;
  std::variant<bool, int64_t, std::string, std::vector<std::string>, std::vector<ServerEntry>>
      value;
};

// The names that lead to the entry from the root: {"mcpServers", "recall"}. For a hook, the last
// one is kHookStep (jsonc.h), which stands for an item of an array.
using EntryPath = std::vector<std::string>;

// What AddEntry or ReplaceEntry (settings_edit.h) did, so that TakeEntry can undo it.
struct AddedText {
  std::string text;         // the bytes that were put in
  size_t entry_offset = 0;  // of the entry's name in `text`, or of the item
  bool comma = false;       // a comma was put after the member before it, outside of `text`
  // ReplaceEntry: the value that `text` took the place of.
  std::optional<std::string> replaced;

  bool operator==(const AddedText&) const = default;
};

struct SettingsEdit {
  std::string text;  // the whole new text
  AddedText added;
};

// The entry as canonical JSON, as CanonicalJson (jsonc.h) prints what is read.
std::string CanonicalEntry(const ServerEntry& entry);

}  // namespace recall
