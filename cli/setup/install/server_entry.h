#pragma once

// The entry of an MCP server in the settings of another program, and the edits that concern it.

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace recall {

struct EntryField {
  std::string name;
  std::variant<bool, std::string, std::vector<std::string>> value;

  bool operator==(const EntryField&) const = default;
};

// The entry of an MCP server, in the order in which its fields are written.
using ServerEntry = std::vector<EntryField>;

// The names that lead to the entry from the root: {"mcpServers", "recall"}.
using EntryPath = std::vector<std::string>;

// What AddEntry or ReplaceEntry (settings_edit.h) did, so that TakeEntry can undo it.
struct AddedText {
  std::string text;         // the bytes that were put in
  size_t entry_offset = 0;  // of the entry's name in `text`
  bool comma = false;       // a comma was put after the member before it, outside of `text`
  // ReplaceEntry: the value that `text` took the place of.
  std::optional<std::string> replaced;

  bool operator==(const AddedText&) const = default;
};

struct SettingsEdit {
  std::string text;  // the whole new text
  AddedText added;
};

// The entry as canonical JSON, with its fields in the order of their names.
std::string CanonicalEntry(const ServerEntry& entry);

}  // namespace recall
