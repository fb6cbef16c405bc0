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

// The name of a store among the processes of this user: "file-DEVICE-INODE", whatever names the
// file has, or "address-HASH" of the address and the variables that libpq reads. Needs nothing of
// the store but stat. Returns: nullopt if there is no such file.
std::optional<std::string> KeyOfStore(const std::string& store);

// Where processes of this user look for the socket of the server of a store: the link KEY in
// RuntimeDirectory().
std::string SocketLinkOf(const std::string& key);

// Keeps such a link to a socket while it exists. A link that another server made is replaced.
class AdvertisedSocket final {
 public:
  // Does nothing if the link cannot be made: clients then do their work themselves.
  AdvertisedSocket(const std::string& key, const std::string& socket_path);
  ~AdvertisedSocket();
  AdvertisedSocket(const AdvertisedSocket&) = delete;
  AdvertisedSocket& operator=(const AdvertisedSocket&) = delete;

 private:
  std::string link_;  // "": there is none
  std::string target_;
};

}  // namespace recall
