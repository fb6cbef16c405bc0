#include "tests/layering/layering_rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

#include "tests/layering/markdown_table.h"

namespace recall {
namespace {

// Headers of POSIX and of the compiler. Those of the C++ standard library have no dot.
constexpr std::string_view kSystemHeaders[] = {
    "arm_acle.h", "cpuid.h",  "dlfcn.h",  "dirent.h",    "errno.h", "execinfo.h", "fcntl.h",
    "limits.h",   "locale.h", "malloc.h", "nmmintrin.h", "poll.h",  "pthread.h",  "sched.h",
    "signal.h",   "spawn.h",  "stddef.h", "stdint.h",    "stdio.h", "stdlib.h",   "string.h",
    "termios.h",  "time.h",   "unistd.h", "utmpx.h",     "wchar.h", "xlocale.h",
};

bool IsUnder(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

bool IsUnderAny(std::string_view path, std::initializer_list<std::string_view> folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return IsUnder(path, folder); });
}

bool IsIn(std::string_view path, std::string_view place) {
  return path == place || IsUnder(path, place);
}

bool HasHeader(const ThirdParty& library, std::string_view header) {
  return std::ranges::any_of(library.headers,
                             [&](const std::string& begin) { return header.starts_with(begin); });
}

bool IsSystemHeader(std::string_view header) {
  return header.find('.') == std::string_view::npos || header.starts_with("sys/") ||
         header.starts_with("linux/") || header.starts_with("netinet/") ||
         header.starts_with("arpa/") || std::ranges::count(kSystemHeaders, header) > 0;
}

template <class Words>
std::string Join(const Words& words) {
  std::string joined;
  for (const auto& word : words) joined += (joined.empty() ? "" : ", ") + std::string(word);
  return joined;
}

std::string_view SkipSpaces(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

// `#include "x"` or `#include <x>` gives x.
std::optional<std::string_view> IncludedHeader(std::string_view line) {
  line = SkipSpaces(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = SkipSpaces(line.substr(1));
  if (!line.starts_with("include")) return std::nullopt;
  line = SkipSpaces(line.substr(7));
  if (!line.starts_with('"') && !line.starts_with('<')) return std::nullopt;
  const size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return line.substr(1, end - 1);
}

// The reason why `path` may not include `header`, or "".
std::string Objection(std::string_view path, std::string_view header,
                      const std::vector<ThirdParty>& libraries) {
  if (IsUnderAny(header, {"tests", "bench", "fuzz"})) return "only tests may include tests";
  for (const std::string_view folder : kProductFolders) {
    if (IsUnder(header, folder)) return "";  // a matter of wings
  }
  for (const ThirdParty& library : libraries) {
    if (!HasHeader(library, header)) continue;
    const bool allowed = std::ranges::any_of(
        library.places, [&](const std::string& place) { return IsIn(path, place); });
    return allowed ? "" : "only " + Join(library.places) + " may include this library";
  }
  if (IsSystemHeader(header)) return "";
  return "neither rooted at the repository nor a known library (docs/ARCHITECTURE.md)";
}

}  // namespace

std::vector<std::pair<size_t, std::string>> IncludesOf(std::string_view text) {
  std::vector<std::pair<size_t, std::string>> includes;
  for (size_t line_number = 1; !text.empty(); ++line_number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (const auto header = IncludedHeader(text.substr(0, end))) {
      includes.emplace_back(line_number, *header);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return includes;
}

std::vector<ThirdParty> ThirdPartyTable(std::string_view markdown) {
  std::vector<ThirdParty> libraries;
  for (const MarkdownRow& row : RowsOf(markdown)) {
    if (row.section != "Who may include what" || row.cells.size() != 3) continue;
    ThirdParty library{QuotedIn(row.cells[1]), QuotedIn(row.cells[2])};
    if (!library.headers.empty()) libraries.push_back(std::move(library));
  }
  return libraries;
}

std::vector<std::string> IncludeViolations(std::string_view path, std::string_view text,
                                           const std::vector<ThirdParty>& libraries) {
  std::vector<std::string> violations;
  for (const auto& [line_number, header] : IncludesOf(text)) {
    const std::string objection = Objection(path, header, libraries);
    if (objection.empty()) continue;
    violations.push_back(std::string(path) + ":" + std::to_string(line_number) + " includes " +
                         header + ": " + objection);
  }
  return violations;
}

std::vector<std::string> UnusedAllowances(
    const std::vector<std::pair<std::string, std::string>>& used,
    const std::vector<ThirdParty>& libraries) {
  std::vector<std::string> unused;
  for (const ThirdParty& library : libraries) {
    for (const std::string& place : library.places) {
      const bool is_used = std::ranges::any_of(used, [&](const auto& include) {
        return IsIn(include.first, place) && HasHeader(library, include.second);
      });
      if (!is_used) unused.push_back(place + " includes no " + Join(library.headers));
    }
  }
  return unused;
}

std::vector<SourceFile> ProductSources(const std::filesystem::path& root) {
  std::vector<SourceFile> files;
  for (const std::string_view folder : kProductFolders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") continue;
      files.push_back(
          {entry.path().lexically_relative(root).generic_string(), ReadAll(entry.path())});
    }
  }
  return files;
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> RepeatedFileNames(const std::vector<std::string>& paths) {
  std::map<std::string, std::vector<std::string_view>> paths_of;
  for (const std::string& path : paths) {
    if (path.starts_with("docs/cli/")) continue;  // pages have the names of their commands
    paths_of[path.substr(path.rfind('/') + 1)].push_back(path);
  }
  std::vector<std::string> repeated;
  for (const auto& [name, places] : paths_of) {
    constexpr std::string_view kRepeatable[] = {"CMakeLists.txt", "README.md", "package.json",
                                                "package-lock.json"};
    if (places.size() < 2 || std::ranges::count(kRepeatable, name) > 0) continue;
    repeated.push_back(name + " is the name of " + Join(places));
  }
  return repeated;
}

std::vector<std::string> UnlistedTests(const std::vector<std::string>& paths,
                                       std::string_view lists) {
  std::vector<std::string> unlisted;
  for (const std::string& path : paths) {
    if (!path.ends_with("_test.cc")) continue;
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool listed = std::ranges::any_of(std::string_view("/ \n"), [&](char before) {
      return lists.find(before + name) != std::string_view::npos;
    });
    if (!listed) unlisted.push_back(path + " is in no CMakeLists.txt");
  }
  return unlisted;
}

}  // namespace recall
