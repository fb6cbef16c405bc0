#include "cli/options/settings/found_store.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>

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

// The owner of the name or the file who is not one of `owners`; nullopt if there is none.
std::optional<uid_t> ForeignOwner(const std::string& path, const std::vector<uid_t>& owners) {
  struct stat of_name {};
  struct stat of_file {};
  if (::lstat(path.c_str(), &of_name) != 0 || ::stat(path.c_str(), &of_file) != 0) return {};
  for (const uid_t owner : {of_name.st_uid, of_file.st_uid}) {
    if (std::ranges::find(owners, owner) == owners.end()) return owner;
  }
  return std::nullopt;
}

// The file that the name `path` leads to outside its directory; "" if there is none.
std::string FileElsewhere(const fs::path& path) {
  std::error_code error;
  const fs::path file = fs::canonical(path, error);
  if (error) return "";
  const fs::path inside = file.lexically_relative(fs::canonical(path.parent_path(), error));
  return error || inside.empty() || *inside.begin() == ".." ? file.string() : "";
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

std::vector<uid_t> TrustedOwners(uid_t user, const char* sudo_uid) {
  std::vector<uid_t> owners = {user, 0};
  if (user != 0 || sudo_uid == nullptr) return owners;
  const char* const end = sudo_uid + std::strlen(sudo_uid);
  uid_t caller = 0;
  const auto [last, error] = std::from_chars(sudo_uid, end, caller);
  if (error == std::errc() && last == end) owners.push_back(caller);
  return owners;
}

Status CheckFoundStore(const std::string& path, std::string_view safe_directories,
                       const std::vector<uid_t>& owners) {
  const fs::path directory = fs::path(path).parent_path();
  const std::optional<uid_t> owner = ForeignOwner(path, owners);
  const std::string elsewhere = FileElsewhere(path);
  if (!owner && elsewhere.empty()) return {};
  if (IsSafeDirectory(RealDirectory(directory), safe_directories)) return {};
  const std::string reason =
      owner ? "the store belongs to another user (uid " + std::to_string(*owner) + ")"
            : "the store is a symbolic link out of its directory, to " + elsewhere;
  return Status::IoError(
      path + ": " + reason + ", so it is not used without being named",
      "name it with --store, or add " + directory.string() +
          " to safe_directories in your own recall.toml or RECALL_SAFE_DIRECTORIES");
}

Status CheckSafeDirectories(std::string_view safe_directories) {
  for (const std::string_view item : ItemsOf(safe_directories)) {
    if (item == "*" || item.starts_with('/')) continue;
    return Status::InvalidArgument(
        "safe_directories must be absolute paths or \"*\", not '" + std::string(item) + "'",
        "docs/cli/settings.md lists the settings");
  }
  return {};
}

}  // namespace recall
