#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

struct HttpRequest {
  std::string url;                   // http or https
  std::vector<std::string> headers;  // "Name: value"
  std::string body;
  std::chrono::milliseconds timeout;  // for the whole of it
  size_t most_bytes;                  // of the answer's body
  bool direct;                        // never over a proxy, whatever the environment says
};

struct HttpAnswer {
  // What the server answered, if it did.
  int status = 0;  // 0: there is no whole answer
  std::string body;
  std::chrono::seconds retry_after{0};  // as the server wishes
  // Why there is none.
  std::string error;
  bool may_pass = false;   // the same may succeed a little later
  bool too_large = false;  // the answer went beyond most_bytes
};

// Posts over libcurl, which is loaded when the first client is made: nobody else pays for the
// thirty libraries that it brings. Follows no redirections, for they would carry the key elsewhere.
// Keeps its connection. Not thread-safe.
class HttpClient final {
 public:
  // Errors: Unsupported where there is no libcurl.
  static Result<std::unique_ptr<HttpClient>> Make();
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  HttpAnswer Post(const HttpRequest& request);

 private:
  explicit HttpClient(void* handle) : handle_(handle) {}

  void* handle_;  // a CURL
};

}  // namespace recall
