#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace recall {

// The commands that `recall --help` lists, in its order.
inline std::vector<std::string> ListedCommands(const std::string& full_help) {
  std::vector<std::string> commands;
  std::istringstream help(full_help);
  std::string line;
  while (std::getline(help, line) && !line.starts_with("Usage: ")) continue;
  while (std::getline(help, line) && line != "Options of every command:") {
    if (line.starts_with("  ")) commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  }
  return commands;
}

}  // namespace recall
