#pragma once

// Reading and writing the settings files of other programs.

#include <optional>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The path with symbolic links resolved, as far as it exists. Errors: InvalidArgument if it is a
// link to a file that does not exist.
Result<std::string> ResolvedPath(const std::string& path);

// The bytes of the file; nothing if there is no file. Errors: InvalidArgument if it is not a
// regular file or larger than 64 MiB; IoError.
Result<std::optional<std::string>> ReadSettings(const std::string& path);

// Writes the file whole or not at all. One that exists keeps its permissions and its owner; a new
// one gets those of `like`, if that is not "". Errors: IoError.
Status WriteSettings(const std::string& path, const std::string& text, const std::string& like);

// The same for a file that only this user may read. A process that is killed may leave it empty.
Status WritePrivate(const std::string& path, const std::string& text);

Status RemoveSettings(const std::string& path);

// Creates the directory and those above it. Returns: those that did not exist, the outermost first.
// Errors: IoError.
Result<std::vector<std::string>> MakeDirectories(const std::string& path);

// Removes the directories that are empty, the last one first.
void RemoveEmptyDirectories(const std::vector<std::string>& directories);

// The name of the copy of a file with these bytes: "mcp.json.recall-backup-1a2b3c4d".
std::string BackupName(const std::string& path, const std::string& text);

// SHA-256 in hexadecimal digits.
std::string HashOf(std::string_view text);

}  // namespace recall
