#pragma once

// `recall serve` as a process, and requests to it.

#include <sys/types.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/server/http/raw_client.h"
#include "tests/test_paths.h"

namespace recall {

// A socket that a service manager listens on.
class PassedListener final {
 public:
  static PassedListener AtPath(const std::string& path);
  static PassedListener OnPort(const char* address);  // any free port
  ~PassedListener();
  PassedListener(PassedListener&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), port_(other.port_) {}
  PassedListener(const PassedListener&) = delete;
  PassedListener& operator=(const PassedListener&) = delete;

  int fd() const { return fd_; }
  uint16_t port() const { return port_; }

 private:
  PassedListener(int fd, uint16_t port) : fd_(fd), port_(port) {}
  int fd_;
  uint16_t port_;
};

// A server that has said where it listens, or why it does not.
class Serving final {
 public:
  // `store`: a directory. `passed`: descriptors of sockets, as a service manager passes them.
  // `browser`: the value of BROWSER.
  Serving(const std::string& store, std::vector<std::string> args, std::vector<int> passed = {},
          const std::string& program = RecallBinary(), const std::string& browser = "");
  ~Serving();
  // Without passed sockets.
  Serving(const std::string& store, std::vector<std::string> args, const std::string& browser)
      : Serving(store, std::move(args), {}, RecallBinary(), browser) {}
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  RawClient Local() const { return RawClient::ToSocket(serve_["socket"]); }
  RawClient Tcp() const { return RawClient::ToPort(port()); }
  uint16_t port() const;
  const nlohmann::ordered_json& serve() const { return serve_; }
  const nlohmann::ordered_json& answer() const { return answer_; }
  // The next line of its output and errors.
  std::string NextLine() const;
  pid_t pid() const { return pid_; }
  // Return the exit code, or -1 if a signal ended the process.
  int Stop();  // with SIGTERM
  int Wait();  // until it stops by itself

 private:
  pid_t pid_ = -1;
  int said_ = -1;
  nlohmann::ordered_json answer_;
  nlohmann::ordered_json serve_;
};

struct ServedAnswer {
  int status = 0;
  std::string body;

  nlohmann::ordered_json Json() const {
    return nlohmann::ordered_json::parse(body, nullptr, false);
  }
};

ServedAnswer AnswerOf(RawClient client);
ServedAnswer Post(RawClient client, const std::string& path, const std::string& body,
                  const std::string& headers = "");
ServedAnswer Get(RawClient client, const std::string& path);

}  // namespace recall
