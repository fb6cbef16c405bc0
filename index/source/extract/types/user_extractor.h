#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A program of the user's own that extracts the text of files with some suffixes (docs/formats.md,
// "Extractors of your own"). Only the user's own settings name it; a store or a file beside it
// never does.
struct UserExtractor {
  std::string name;                   // the format of the documents: "djvu"
  std::vector<std::string> suffixes;  // ".djvu", in lower case
  std::vector<std::string> command;   // the program, looked for in PATH, and its arguments
  std::chrono::milliseconds timeout = std::chrono::seconds(60);  // for each file

  bool operator==(const UserExtractor&) const = default;
};

// The extractor for a file of this name, in any case; null if there is none. The first counts.
const UserExtractor* FindUserExtractor(const std::vector<UserExtractor>& extractors,
                                       std::string_view path);

// "djvu/1f0c39ab": the name, and digits that change with the command.
std::string NameWithVersion(const UserExtractor& extractor);

}  // namespace recall
