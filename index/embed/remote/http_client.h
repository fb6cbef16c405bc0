#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A request of HttpClient.
struct HttpPost {
  std::string url;                   // http or https
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
  std::chrono::milliseconds timeout;  // of the whole request
  size_t most_bytes;                  // maximum size of the response body
  const std::atomic<bool>* cancel;    // ends the request within a second; may be null
  bool direct;                        // never through a proxy, even if the environment sets one
};

struct HttpAnswer {
  // The response, if there was one.
  int status = 0;  // 0: there is no complete response
  std::string body;
  std::chrono::seconds retry_after{0};  // the header Retry-After; 0: none
  // The reason why there is none.
  std::string error;
  bool may_pass = false;   // the same request may succeed later
  bool too_large = false;  // the response exceeded most_bytes
};

// Posts by libcurl, which is loaded when the first client is made: other uses of the program do not
// pay for the thirty libraries that it needs. It does not follow redirections, because they would
// send the key to another host. It keeps its connection open. Not thread-safe.
class HttpClient final {
 public:
  // Errors: Unsupported if libcurl is not installed.
  static Result<std::unique_ptr<HttpClient>> Make();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpAnswer Post(const HttpPost& request);

 private:
  explicit HttpClient(void* handle) : handle_(handle) {}

  void* handle_;  // a CURL
};

}  // namespace recall
