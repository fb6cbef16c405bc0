#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace recall {

// A file, whatever names it has.
struct FileIdentity {
  uint64_t device = 0;
  uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

// Returns: nullopt if there is no such file.
std::optional<FileIdentity> IdentityOfFile(const std::string& path);

// Where processes of this user look for the socket of the server of a store: the link
// recall/file-DEVICE-INODE in XDG_RUNTIME_DIR, which needs nothing of the store but stat. Returns:
// "" without XDG_RUNTIME_DIR.
std::string SocketLinkOf(const FileIdentity& store);

// Keeps such a link to a socket while it exists. A link that another server made is replaced.
class PublishedSocket final {
 public:
  // Does nothing if the link cannot be made: clients then do their work themselves.
  PublishedSocket(const FileIdentity& store, const std::string& socket_path);
  ~PublishedSocket();
  PublishedSocket(const PublishedSocket&) = delete;
  PublishedSocket& operator=(const PublishedSocket&) = delete;

 private:
  std::string link_;  // "": there is none
  std::string target_;
};

}  // namespace recall
