// The client of the command line with servers that are not what they should be.

#include "cli/remote/server_client.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <thread>

#include "tests/test_util.h"

namespace recall {
namespace {

// A listening Unix socket. A request is answered with `response`, and then its connection is closed
// if `closes`.
class FakeServer final {
 public:
  FakeServer(const std::string& path, std::string response, bool closes)
      : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)),
        response_(std::move(response)),
        closes_(closes) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(fd_, 4), 0);
    thread_ = std::thread([this] { Serve(); });
  }
  ~FakeServer() {
    ::shutdown(fd_, SHUT_RDWR);
    thread_.join();
    if (connection_ >= 0) ::close(connection_);
    ::close(fd_);
  }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  const std::string& request() const { return request_; }

 private:
  void Serve() {
    for (;;) {
      const int connection = ::accept(fd_, nullptr, nullptr);
      if (connection < 0) return;
      char buffer[4096];
      const ssize_t count = ::read(connection, buffer, sizeof(buffer));
      if (count > 0) request_.assign(buffer, static_cast<size_t>(count));
      [[maybe_unused]] const ssize_t sent =
          ::send(connection, response_.data(), response_.size(), MSG_NOSIGNAL);
      if (closes_) {
        ::close(connection);
      } else {
        connection_ = connection;
      }
    }
  }

  const int fd_;
  const std::string response_;
  const bool closes_;
  std::string request_;
  int connection_ = -1;
  std::thread thread_;
};

class ServerClientTest : public ::testing::Test {
 protected:
  std::string Socket() const { return directory_ / "socket"; }
  Result<std::string> Ask(const std::string& response, bool closes, int interrupt = -1) {
    const FakeServer server(Socket(), response, closes);
    auto answer = AskServer(Socket(), "/cli", "{}", {}, interrupt);
    if (!answer) {
      EXPECT_EQ(answer.error().message().find("no server listens"), std::string_view::npos);
    }
    ::unlink(Socket().c_str());
    return answer;
  }

 private:
  TempDir directory_;
};

TEST_F(ServerClientTest, ReturnsTheBody) {
  const auto answer = Ask("HTTP/1.1 200 OK\r\nContent-Type: x\r\n\r\nthe body\r\n\r\n", true);
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(*answer, "the body\r\n\r\n");
}

TEST_F(ServerClientTest, SendsOneWholeRequest) {
  const FakeServer server(Socket(), "HTTP/1.1 200 OK\r\n\r\n", true);
  ASSERT_OK(AskServer(Socket(), "/cli", R"({"a": 1})", {}, -1));
  EXPECT_TRUE(server.request().starts_with("POST /cli HTTP/1.1\r\n"));
  EXPECT_NE(server.request().find("Content-Length: 8\r\n"), std::string::npos);
  EXPECT_TRUE(server.request().ends_with("\r\n\r\n{\"a\": 1}"));
}

TEST_F(ServerClientTest, OtherAnswersAreNone) {
  for (const char* response :
       {"", "garbage", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 503 Service Unavailable\r\n\r\n{}",
        "HTTP/1.1 409 Conflict\r\n\r\n", "HTTP/1.1 2000\r\n\r\nx", "SSH-2.0-OpenSSH_9.2\r\n\r\n"}) {
    const auto answer = Ask(response, true);
    EXPECT_FALSE(answer) << response;
    if (!answer) {
      EXPECT_EQ(answer.error().code(), StatusCode::kIoError) << response;
    }
  }
}

// Neither a server that is silent nor one that stops in the middle holds the client up for ever.
TEST_F(ServerClientTest, SilenceEndsTheWait) {
  for (const char* response : {"", "HTTP/1.1 20"}) EXPECT_FALSE(Ask(response, false)) << response;
  const FakeServer server(Socket(), "HTTP/1.1 200 OK\r\n\r\ndata: out", false);
  const ServerTimes times = {.whole = std::chrono::milliseconds(60)};
  EXPECT_FALSE(AskServer(Socket(), "/cli", "{}", times, -1));
}

TEST_F(ServerClientTest, AnInterruptEndsTheWait) {
  const int event = ::eventfd(1, EFD_CLOEXEC);
  const auto answer = Ask("HTTP/1.1 200 OK\r\n\r\n", false, event);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), StatusCode::kCancelled);
  ::close(event);
}

TEST_F(ServerClientTest, NobodyListens) {
  EXPECT_FALSE(AskServer(Socket(), "/cli", "{}", {}, -1));
  EXPECT_FALSE(AskServer(std::string(200, 'a'), "/cli", "{}", {}, -1));
  { const FakeServer server(Socket(), "", true); }  // leaves its socket behind
  EXPECT_FALSE(AskServer(Socket(), "/cli", "{}", {}, -1));
}

}  // namespace
}  // namespace recall
