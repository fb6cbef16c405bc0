#include "cli/server/remote/advertised_socket.h"

#include <sys/stat.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string_view>

#include "cli/run/execution/runtime_directory.h"
#include "query/database/database.h"
#include "storage/base/ids.h"
#include "storage/base/private_directory.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

std::string Hexadecimal(uint64_t number) {
  char digits[16];
  return {digits, std::to_chars(digits, digits + sizeof(digits), number, 16).ptr};
}

// The same address may lead elsewhere, or with other rights, under other variables.
std::string HashOfAddress(const std::string& address) {
  constexpr size_t kHashBytes = 16;
  std::set<std::string> parts;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("PG") || text.starts_with("HOME=")) parts.emplace(text);
  }
  std::string all = address;
  for (const std::string& part : parts) all += '\0' + part;
  return ToHex(ByteSpan(Sha256(all)).first(kHashBytes));
}

}  // namespace

std::optional<FileIdentity> IdentityOfFile(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{static_cast<uint64_t>(info.st_dev), info.st_ino};
}

std::optional<std::string> KeyOfStore(const std::string& store) {
  if (IsServerAddress(store)) return "address-" + HashOfAddress(store);
  const auto file = IdentityOfFile(store);
  if (!file) return std::nullopt;
  return "file-" + Hexadecimal(file->device) + "-" + Hexadecimal(file->inode);
}

std::string SocketLinkOf(const std::string& key) { return RuntimeDirectory() + "/" + key; }

AdvertisedSocket::AdvertisedSocket(const std::string& key, const std::string& socket_path) {
  const std::string link = SocketLinkOf(key);
  std::error_code error;
  target_ = fs::absolute(socket_path, error).string();
  if (error || !MakePrivateDirectory(RuntimeDirectory())) return;
  // A link cannot be replaced, but renamed over another one.
  const std::string made = link + "." + std::to_string(::getpid());
  fs::create_symlink(target_, made, error);
  if (error) return;
  fs::rename(made, link, error);
  if (error) {
    fs::remove(made, error);
  } else {
    link_ = link;
  }
}

AdvertisedSocket::~AdvertisedSocket() {
  std::error_code error;
  if (!link_.empty() && fs::read_symlink(link_, error) == target_) fs::remove(link_, error);
}

}  // namespace recall
