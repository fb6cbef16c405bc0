#include "cli/settings/store_owner.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

namespace recall {
namespace {

namespace fs = std::filesystem;

std::vector<std::string_view> ItemsOf(std::string_view list) {
  std::vector<std::string_view> items;
  while (!list.empty()) {
    const size_t end = std::min(list.find(':'), list.size());
    if (end > 0) items.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return items;
}

// The user other than `user` and root who owns the name or the file; nullopt if there is none.
std::optional<uid_t> ForeignOwner(const std::string& path, uid_t user) {
  struct stat of_name {};
  struct stat of_file {};
  if (::lstat(path.c_str(), &of_name) != 0 || ::stat(path.c_str(), &of_file) != 0) return {};
  for (const uid_t owner : {of_name.st_uid, of_file.st_uid}) {
    if (owner != user && owner != 0) return owner;
  }
  return std::nullopt;
}

// The directory without symbolic links and without a slash at its end.
fs::path RealDirectory(const fs::path& directory) {
  std::error_code error;
  const fs::path real = fs::canonical(directory, error);
  return error ? directory.lexically_normal() : real;
}

bool IsSafeDirectory(const fs::path& directory, std::string_view safe_directories) {
  return std::ranges::any_of(ItemsOf(safe_directories), [&](std::string_view item) {
    return item == "*" || (item.starts_with('/') && RealDirectory(item) == directory);
  });
}

}  // namespace

Status CheckOwnerOfFoundStore(const std::string& path, std::string_view safe_directories,
                              uid_t user) {
  const std::optional<uid_t> owner = ForeignOwner(path, user);
  const fs::path directory = fs::path(path).parent_path();
  if (!owner || IsSafeDirectory(RealDirectory(directory), safe_directories)) return {};
  return Status::IoError(
      path + ": the store belongs to another user (uid " + std::to_string(*owner) +
          "), so it is not used without being named",
      "name it with --store, or add " + directory.string() +
          " to safe_directories in your own recall.toml or RECALL_SAFE_DIRECTORIES");
}

Status CheckSafeDirectories(std::string_view safe_directories) {
  for (const std::string_view item : ItemsOf(safe_directories)) {
    if (item == "*" || item.starts_with('/')) continue;
    return Status::InvalidArgument(
        "safe_directories must be absolute paths or \"*\", not '" + std::string(item) + "'",
        "docs/cli.md lists the settings");
  }
  return {};
}

}  // namespace recall
