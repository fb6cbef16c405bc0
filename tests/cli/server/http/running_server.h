#pragma once

// An HTTP server in the process of the test.

#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "cli/server/http/http_server.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/test_util.h"

namespace recall {

using AnswerFunction =
    std::function<void(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply)>;

inline HttpResponse Text(std::string text) {
  HttpResponse response;
  response.body = std::move(text);
  return response;
}

class FunctionHandler final : public HttpHandler {
 public:
  explicit FunctionHandler(AnswerFunction answer) : answer_(std::move(answer)) {}
  // "/refused" is refused, "/stored" stores its body, "/at-once" needs no worker, "/unlimited" has
  // no limit of time.
  std::optional<HttpResponse> Refuse(const HttpHead& head) override {
    if (head.path != "/refused") return std::nullopt;
    HttpResponse refusal = Text("refused");
    refusal.status = 403;
    return refusal;
  }
  HttpTerms TermsOf(const HttpHead& head) override {
    HttpTerms terms;
    terms.store_body = head.path == "/stored";
    terms.limited_time = head.path != "/unlimited";
    if (head.path == "/at-once") terms.answer = Text("at once");
    return terms;
  }
  void Stopping() override { stopping_.set_value(); }
  std::future<void> StoppingSignal() { return stopping_.get_future(); }
  void Answer(size_t, const HttpRequest& request,
              const std::shared_ptr<HttpReply>& reply) override {
    answer_(request, reply);
  }

 private:
  const AnswerFunction answer_;
  std::promise<void> stopping_;
};

// A server that runs on a thread of its own, on a Unix socket and on TCP.
class RunningServer final {
 public:
  explicit RunningServer(AnswerFunction answer, HttpServerOptions options = {})
      : handler_(std::move(answer)) {
    path_ = directory_ / "socket";
    options.socket_paths = {path_};
    options.port = 0;
    server_ = Must(HttpServer::Listen(options, &handler_));
    thread_ = std::thread([this] { EXPECT_OK(server_->Run()); });
  }
  ~RunningServer() {
    server_->Stop();
    Join();
  }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  RawClient Connect(bool over_tcp = false) const {
    return over_tcp ? RawClient::ToPort(server_->port()) : RawClient::ToSocket(path_);
  }
  HttpServer& server() { return *server_; }
  FunctionHandler& handler() { return handler_; }
  const std::string& path() const { return path_; }
  void Join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  TempDir directory_;
  std::string path_;
  FunctionHandler handler_;
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

// Answers with the path and the body.
inline void Echo(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  reply->Send(Text(request.head.path + " " + request.body));
}

inline std::string BodyOf(const std::string& response) {
  const size_t end = response.find("\r\n\r\n");
  return end == std::string::npos ? "no head: " + response : response.substr(end + 4);
}

inline int StatusOf(const std::string& response) {
  return response.starts_with("HTTP/1.1 ") ? std::stoi(response.substr(9, 3)) : 0;
}

inline bool Has(const std::string& response, const std::string& line) {
  return response.find(line + "\r\n") < response.find("\r\n\r\n") + 2;
}

// Lets an answer wait until the test opens it.
class Gate final {
 public:
  void Wait() const { future_.wait(); }
  void Open() { promise_.set_value(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> future_ = promise_.get_future().share();
};

}  // namespace recall
