#pragma once

// What docs/ARCHITECTURE.md promises about #includes, as a function of one file's path and text.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// One sentence for each #include of the file that breaks a rule: an arrow that points back, a
// third-party header outside its folder, a path that is not rooted at the repository.
// `path` is relative to the repository's root, with '/'.
std::vector<std::string> IncludeViolations(std::string_view path, std::string_view text);

// The folders that carry the product, which the rules are about.
inline constexpr std::string_view kProductFolders[] = {"storage", "simd", "index", "query", "cli"};

// The bytes of a file; empty when it cannot be read.
std::string ReadAll(const std::filesystem::path& path);

// One sentence for each file name that two or more of the paths have. CMakeLists.txt and README.md
// mean their folder, so they may repeat.
std::vector<std::string> RepeatedFileNames(const std::vector<std::string>& paths);

}  // namespace recall
