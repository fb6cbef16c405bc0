#pragma once

// The rules of docs/ARCHITECTURE.md about #includes, as a function of a file's path and text.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/layering/include_graph.h"

namespace recall {

// The headers of a third-party library, by their first characters, and the folders or single files
// that may include them.
struct ThirdParty {
  std::vector<std::string> headers;
  std::vector<std::string> places;
};

// The table of third-party headers in docs/ARCHITECTURE.md: library, headers, places.
std::vector<ThirdParty> ThirdPartyTable(std::string_view markdown);

// One sentence for each #include of the file that breaks a rule: a test is included, a third-party
// header is included outside its places, or a path does not start at the repository's root. `path`
// is relative to the root, with '/'.
std::vector<std::string> IncludeViolations(std::string_view path, std::string_view text,
                                           const std::vector<ThirdParty>& libraries);

// One sentence for each header that no file includes where the table allows it. Each element of
// `used` is a path and a header that it includes.
std::vector<std::string> UnusedAllowances(
    const std::vector<std::pair<std::string, std::string>>& used,
    const std::vector<ThirdParty>& libraries);

// The headers that a text includes, with the numbers of their lines, from 1.
std::vector<std::pair<size_t, std::string>> IncludesOf(std::string_view text);

// The folders of the product, to which the rules apply.
inline constexpr std::string_view kProductFolders[] = {"storage", "simd", "index", "query", "cli"};

// The headers and sources of the product folders. `root` is the repository's.
std::vector<SourceFile> ProductSources(const std::filesystem::path& root);

// The bytes of a file, or "" if it cannot be read.
std::string ReadAll(const std::filesystem::path& path);

// One sentence for each file name that several of the paths have. CMakeLists.txt and README.md may
// repeat.
std::vector<std::string> RepeatedFileNames(const std::vector<std::string>& paths);

// One sentence for each path that ends in _test.cc and that no list names. `lists`: the text of all
// CMakeLists.txt.
std::vector<std::string> UnlistedTests(const std::vector<std::string>& paths,
                                       std::string_view lists);

}  // namespace recall
