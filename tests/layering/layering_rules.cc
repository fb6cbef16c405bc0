#include "tests/layering/layering_rules.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace recall {
namespace {

// A folder and the folders that it may include. The longest matching folder applies.
struct Arrow {
  std::string_view from;
  std::vector<std::string_view> to;
};
const Arrow kArrows[] = {
    {"storage/base", {"storage/base"}},
    {"storage", {"storage"}},
    {"simd", {"simd"}},
    {"index", {"index", "simd", "storage"}},
    {"query", {"query", "index", "simd", "storage"}},
    {"cli",
     {"cli", "query", "index/source/extract/worker", "index/base/math", "index/subword",
      "storage/base", "storage/file_io"}},
};

// A prefix of third-party headers, and the folders or single files that may include them.
struct ThirdParty {
  std::string_view header;
  std::vector<std::string_view> places;
};
const ThirdParty kThirdParty[] = {
    {"tl/", {"storage/base"}},
    {"nettle/", {"storage/base"}},
    {"sqlite3", {"storage"}},
    {"boost/", {"storage", "cli/server/http"}},
    {"zstd", {"storage"}},
    {"hwy/", {"simd"}},
    {"roaring/", {"index"}},
    {"utf8proc", {"index"}},
    {"yaml-cpp/", {"index"}},
    {"re2/", {"index/search/filter", "index/source/secrets", "index/subword"}},
    {"curl/", {"index/embed/remote"}},
    {"archive", {"index/source/archive"}},
    {"expat", {"index/source/extract/container"}},
    {"zlib", {"index/source/extract/container"}},
    {"gumbo", {"index/source/extract/html"}},
    {"tree_sitter", {"index/source/code"}},
    {"seccomp", {"index/source/extract/worker"}},
    {"CLI/", {"cli/options/flags/flags.cc"}},
    {"curses", {"cli/show/browse/terminal_screen.cc"}},
    {"toml++/", {"cli/options/settings/toml_library.h"}},
    {"nlohmann/",
     {"cli/show/comparison",
      "cli/server/mcp",
      "cli/show/output/metadata_tree.cc",
      "query/measure/eval",
      "query/compat/memories",
      "query/compat/rekal",
      "query/exchange/note_markdown.cc",
      "query/memory/notes",
      "query/add/records",
      "index/embed/remote",
      "index/source/extract/notebook",
      "index/search/filter",
      "index/write/ingest",
      "index/embed/model2vec",
      "index/base/program",
      "index/search/ranker",
      "index/source/secrets",
      "index/source/session",
      "index/subword",
      "storage/metadata"}},
};

// Headers of POSIX and of the compiler. Those of the C++ standard library have no dot.
constexpr std::string_view kSystemHeaders[] = {
    "arm_acle.h", "cpuid.h",  "dlfcn.h",     "dirent.h", "errno.h",   "fcntl.h",
    "locale.h",   "malloc.h", "nmmintrin.h", "poll.h",   "pthread.h", "sched.h",
    "signal.h",   "spawn.h",  "stdint.h",    "stdio.h",  "stdlib.h",  "string.h",
    "termios.h",  "time.h",   "unistd.h",    "wchar.h",
};

bool IsUnder(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

bool IsUnderAny(std::string_view path, const std::vector<std::string_view>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](std::string_view folder) { return IsUnder(path, folder); });
}

bool IsSystemHeader(std::string_view header) {
  return header.find('.') == std::string_view::npos || header.starts_with("sys/") ||
         header.starts_with("linux/") || header.starts_with("netinet/") ||
         header.starts_with("arpa/") || std::ranges::count(kSystemHeaders, header) > 0;
}

std::string Join(const std::vector<std::string_view>& words) {
  std::string joined;
  for (const std::string_view word : words)
    joined += (joined.empty() ? "" : ", ") + std::string(word);
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
std::string Objection(std::string_view path, std::string_view header) {
  if (IsUnderAny(header, {"tests", "bench", "fuzz"})) return "only tests may include tests";
  for (const std::string_view folder : kProductFolders) {
    if (!IsUnder(header, folder)) continue;
    for (const Arrow& arrow : kArrows) {
      if (!IsUnder(path, arrow.from)) continue;
      if (IsUnderAny(header, arrow.to)) return "";
      return std::string(arrow.from) + " may only include " + Join(arrow.to);
    }
  }
  for (const ThirdParty& library : kThirdParty) {
    if (!header.starts_with(library.header)) continue;
    if (IsUnderAny(path, library.places) || std::ranges::count(library.places, path) > 0) return "";
    return "only " + Join(library.places) + " may include this library";
  }
  if (IsSystemHeader(header)) return "";
  return "neither rooted at the repository nor a known library (docs/ARCHITECTURE.md)";
}

}  // namespace

std::vector<std::string> IncludeViolations(std::string_view path, std::string_view text) {
  std::vector<std::string> violations;
  for (size_t line_number = 1; !text.empty(); ++line_number) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (const auto header = IncludedHeader(text.substr(0, end))) {
      const std::string objection = Objection(path, *header);
      if (!objection.empty()) {
        violations.push_back(std::string(path) + ":" + std::to_string(line_number) + " includes " +
                             std::string(*header) + ": " + objection);
      }
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return violations;
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> RepeatedFileNames(const std::vector<std::string>& paths) {
  std::map<std::string, std::vector<std::string_view>> paths_of;
  for (const std::string& path : paths) {
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

}  // namespace recall
