#pragma once

// A local HTTP server whose answers a test determines. It serves one connection at a time.

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace recall {

struct ServedRequest {
  std::string head;  // the header block with the request line
  std::string body;
};

class LocalServer final {
 public:
  // Returns all bytes to send, for example those of Answer below. The connection is then closed.
  using Handler = std::function<std::string(const ServedRequest&)>;
  // kDrips: after the answer, sends spaces one by one until the client closes the connection.
  enum class End : uint8_t { kCloses, kDrips };
  explicit LocalServer(Handler handler, End end = End::kCloses);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  // "http://127.0.0.1:PORT"
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<ServedRequest> requests() const;

 private:
  void Serve();
  void ServeOne(int connection);

  Handler handler_;
  End end_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::vector<ServedRequest> requests_;
  std::thread thread_;
};

// A complete HTTP response.
std::string Answer(int status, const std::string& body, const std::string& headers = "");

}  // namespace recall
