#pragma once

#include <cstddef>
#include <optional>

#include "cli/server/http/http_shared.h"

namespace recall {

// The share of one request in the limits that all connections have in common, from its head until
// its response starts. Used on the thread of the sockets.
class RequestAccount final {
 public:
  explicit RequestAccount(HttpShared& shared) : shared_(shared) {}
  ~RequestAccount() { End(); }
  RequestAccount(const RequestAccount&) = delete;
  RequestAccount& operator=(const RequestAccount&) = delete;

  void Begin();
  // Between Begin and End.
  bool is_open() const { return open_; }
  // Reserves memory for a body of this size, or the right to store one in a file. Returns: the
  // response if other requests have too much already.
  std::optional<HttpResponse> ReserveMemory(size_t bytes);
  std::optional<HttpResponse> ReserveFile();
  // Called when the response has started or will never be sent. A second call does nothing.
  void End() noexcept;

 private:
  HttpShared& shared_;
  bool open_ = false;
  bool stores_ = false;  // counted in HttpShared::stored_bodies
  size_t reserved_ = 0;  // of HttpShared::bytes_of_bodies
};

}  // namespace recall
