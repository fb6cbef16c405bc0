// Files of synonyms that recall.toml names. A settings file may come with a directory of somebody
// else, so it can only name files of this directory.

#include "cli/options/settings/synonym_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "cli/options/settings/config_text.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

bool StaysBelow(const fs::path& name) {
  return !name.empty() && name.is_relative() && std::ranges::count(name, fs::path("..")) == 0;
}

Result<std::string> ReadSynonyms(const fs::path& path, const std::string& origin) {
  Result<std::string> text = ReadConfigText(path);
  if (text) return text;
  const std::string what = text.error().code() == StatusCode::kNotFound
                               ? "no such file: " + path.string()
                               : std::string(text.error().message());
  return Fail(
      Status::InvalidArgument(origin + ": synonyms: " + what,
                              "name a text file beside the settings file, of at most 1 MiB"));
}

}  // namespace

Status ReadSynonymFiles(const std::string& config_path, const std::string& origin,
                        ConfigValue& groups) {
  std::string lines;
  std::string_view rest = std::get<std::string>(groups);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = Trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::string text(line);
    if (line.starts_with('@')) {
      const fs::path name(line.substr(1));
      if (!StaysBelow(name)) {
        return Status::InvalidArgument(
            origin + ": synonyms: " + std::string(line) + " must be a relative path without ..",
            "put the file beside the settings file: synonyms = [\"@synonyms.txt\"]");
      }
      RECALL_ASSIGN(text, ReadSynonyms(fs::path(config_path).parent_path() / name, origin));
    }
    lines += (lines.empty() ? "" : "\n") + text;
  }
  groups = std::move(lines);
  return {};
}

}  // namespace recall
