#pragma once

#include <string>

namespace recall {

// The main work tree of the git repository of which `directory` lies in a linked one (`git worktree
// add`); "" if it lies in none. The file .git of a directory is believed only if the repository
// says that the directory is its work tree, because it can come with a directory that was unpacked.
std::string MainWorkTreeOf(const std::string& directory);

}  // namespace recall
