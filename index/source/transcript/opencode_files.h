#pragma once

#include <string>
#include <vector>

namespace recall {

// Where the messages of a session of an old OpenCode lie.
struct OpenCodeFiles {
  std::string messages;  // the directory of the messages
  std::string parts;     // + the id of a message: the directory of its parts
};
OpenCodeFiles OpenCodeFilesOf(const std::string& session_file);

// The files "*.json" of a directory, by name; none if it cannot be listed.
std::vector<std::string> JsonFilesIn(const std::string& directory);

}  // namespace recall
