#pragma once

#include <string>

namespace recall {

// The branch of git that is checked out in `directory`, read from the files of the repository; ""
// outside of git, and without a branch. Starts no program.
std::string BranchOfDirectory(const std::string& directory);

// The text of a transcript since its conversation was replaced by a summary for the last time, at
// most the last megabytes; "" if it is no regular file that can be read. It is what the assistant
// may still know.
std::string TextOfConversation(const std::string& transcript);

}  // namespace recall
