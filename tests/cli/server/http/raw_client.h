#pragma once

// A client of HTTP that sends any bytes, also such as no client should send.

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

class RawClient final {
 public:
  static RawClient ToSocket(const std::string& path);
  static RawClient ToPort(uint16_t port);
  ~RawClient() { Close(); }
  RawClient(RawClient&& other) noexcept;
  RawClient& operator=(RawClient&& other) noexcept;
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  int fd() const { return fd_; }
  // Returns: whether all bytes could be sent.
  bool Send(std::string_view bytes) const;
  // Sends a request with a body, and an empty line after the further headers.
  bool Post(std::string_view path, std::string_view body, std::string_view headers = "") const;
  // Reads up to the end of a head, and of the body if the head has its length. Returns: less if
  // the server closes the connection before.
  std::string ReadResponse();
  // Reads an event of a stream, up to its empty line.
  std::string ReadEvent();
  // Reads all until the server closes the connection.
  std::string ReadToEnd();
  void Close();

 private:
  explicit RawClient(int fd);
  bool ReadMore();

  int fd_;
  std::string read_;  // what follows the last response
};

}  // namespace recall
