#pragma once

// The rules of docs/ARCHITECTURE.md about #includes, as a function of a file's path and text.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// One sentence for each #include of the file that breaks a rule: a lower layer includes a higher
// one, a third-party header is included outside its folder, or a path does not start at the
// repository's root. `path` is relative to the root, with '/'.
std::vector<std::string> IncludeViolations(std::string_view path, std::string_view text);

// The folders of the product, to which the rules apply.
inline constexpr std::string_view kProductFolders[] = {"storage", "simd", "index", "query", "cli"};

// The bytes of a file, or "" if it cannot be read.
std::string ReadAll(const std::filesystem::path& path);

// One sentence for each file name that several of the paths have. CMakeLists.txt and README.md may
// repeat.
std::vector<std::string> RepeatedFileNames(const std::vector<std::string>& paths);

}  // namespace recall
