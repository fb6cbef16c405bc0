#include "cli/server/http/request_account.h"

#include <chrono>
#include <utility>

#include "cli/server/http/error_response.h"

namespace recall {

void RequestAccount::Begin() {
  if (!std::exchange(open_, true)) ++shared_.requests;
  shared_.last_request = std::chrono::steady_clock::now();
}

std::optional<HttpResponse> RequestAccount::ReserveMemory(size_t bytes) {
  if (shared_.bytes_of_bodies + bytes > shared_.options.most_bytes_of_bodies) {
    return BusyResponse(503, "too many bodies are being received");
  }
  reserved_ = bytes;
  shared_.bytes_of_bodies += bytes;
  return std::nullopt;
}

std::optional<HttpResponse> RequestAccount::ReserveFile() {
  if (shared_.stored_bodies >= shared_.options.most_stored_bodies) {
    return BusyResponse(503, "too many long bodies are being received");
  }
  ++shared_.stored_bodies;
  stores_ = true;
  return std::nullopt;
}

void RequestAccount::End() noexcept {
  if (!std::exchange(open_, false)) return;
  --shared_.requests;
  shared_.last_request = std::chrono::steady_clock::now();
  shared_.bytes_of_bodies -= std::exchange(reserved_, 0);
  if (std::exchange(stores_, false)) --shared_.stored_bodies;
}

}  // namespace recall
