#pragma once

// The Markdown files of a vault: a directory with one note a file.

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "query/compat/memories/foreign_card.h"
#include "query/compat/memories/foreign_memory.h"
#include "query/compat/memories/readers.h"
#include "storage/base/result.h"

namespace recall {

struct VaultFile {
  std::string name;      // relative to the vault, with '/'
  std::string file;      // for messages
  std::string text;      // UTF-8
  nlohmann::json card;   // an object; empty without front matter
  size_t body = 0;       // where the text begins that is behind the front matter
  int64_t comments = 0;  // lines of comment in the front matter

  std::string_view Body() const { return std::string_view(text).substr(body); }
};

// Makes the note of a file. `fields` are those of its card; what stays there is kept with the note
// under its own names. Returns: nothing if the file is no note. May count in `memory` what is
// dropped.
using NoteOfVaultFile = std::function<std::optional<ForeignNote>(
    const VaultFile& file, CardFields* fields, ForeignMemory* memory)>;

// Reads the Markdown files of a directory (or one file), in the order of their names, and makes a
// note of each. Hidden files and `node_modules` are left out, symbolic links are not followed. A
// file that cannot be read as a note becomes a fault, as does one whose id another file has; the
// fault calls it `id_name`. Returns: the notes in the order of their ids. Errors: NotFound;
// LimitExceeded for a file or a vault that is too large; Cancelled.
Result<ForeignMemory> ReadVault(const std::string& directory, const ForeignOptions& options,
                                std::string_view id_name, const NoteOfVaultFile& make);

// The name of a file without its folders and its extension: "a/b.md" -> "b".
std::string StemOf(std::string_view name);

// The text without the lines from the last one that contains `start` to the last one that contains
// `end`; unchanged if these marks are not there, in this order.
std::string WithoutSection(std::string_view text, std::string_view start, std::string_view end);

}  // namespace recall
