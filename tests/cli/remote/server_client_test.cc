// The client of the command line with servers that are not what they should be.

#include "cli/remote/server_client.h"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "tests/cli/remote/fake_server.h"
#include "tests/test_util.h"

namespace recall {
namespace {

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

TEST_F(ServerClientTest, AFloodEndsTheWait) {
  const std::string flood(size_t{33} << 20, 'x');
  EXPECT_FALSE(Ask("HTTP/1.1 200 OK\r\n\r\n" + flood, true));
  EXPECT_FALSE(Ask(flood, true));
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
