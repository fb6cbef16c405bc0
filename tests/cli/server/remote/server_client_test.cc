// The client of the command line with servers that are not what they should be.

#include "cli/server/remote/server_client.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "storage/base/wake_pipe.h"
#include "tests/cli/server/remote/fake_server.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Tests must not depend on how busy the machine is.
constexpr ServerTimes kPatient = {.begin = std::chrono::minutes(1)};

class ServerClientTest : public ::testing::Test {
 protected:
  std::string Socket() const { return directory_ / "socket"; }
  Result<std::string> Ask(const std::string& response, bool closes, int interrupt = -1) {
    const FakeServer server(Socket(), response, closes);
    auto answer =
        AskServer(Socket(), "/cli", "file-1-2", "{}", closes ? kPatient : ServerTimes(), interrupt);
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
  FakeServer server(Socket(), "HTTP/1.1 200 OK\r\n\r\n", true);
  ASSERT_OK(AskServer(Socket(), "/cli", "file-1-2", R"({"a": 1})", kPatient, -1));
  const std::string request = server.WaitForRequest();
  EXPECT_TRUE(request.starts_with("POST /cli HTTP/1.1\r\n"));
  EXPECT_NE(request.find("Content-Length: 8\r\n"), std::string::npos);
  EXPECT_NE(request.find("\r\nx-recall-store-key: file-1-2\r\n"), std::string::npos);
  EXPECT_TRUE(request.ends_with("\r\n\r\n{\"a\": 1}"));
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
}

// A process that stops itself after the head of its response.
TEST_F(ServerClientTest, AStoppedServerEndsTheWait) {
  int listening[2];
  ASSERT_EQ(::pipe2(listening, O_CLOEXEC), 0);
  const std::string path = Socket();
  const pid_t server = ::fork();
  if (server == 0) {  // only system calls from here on
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    ::listen(fd, 1);
    [[maybe_unused]] const ssize_t told = ::write(listening[1], "x", 1);
    const int connection = ::accept(fd, nullptr, nullptr);
    constexpr std::string_view kHead = "HTTP/1.1 200 OK\r\n\r\ndata: out";
    [[maybe_unused]] const ssize_t sent = ::write(connection, kHead.data(), kHead.size());
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  char byte = 0;
  EXPECT_EQ(::read(listening[0], &byte, 1), 1);
  const ServerTimes times = {.begin = std::chrono::minutes(1),
                             .look = std::chrono::milliseconds(9)};
  const auto answer = AskServer(path, "/cli", "file-1-2", "{}", times, -1);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), StatusCode::kBusy);
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  for (const int fd : listening) ::close(fd);
}

TEST_F(ServerClientTest, AFloodEndsTheWait) {
  const std::string flood(size_t{33} << 20, 'x');
  EXPECT_FALSE(Ask("HTTP/1.1 200 OK\r\n\r\n" + flood, true));
  EXPECT_FALSE(Ask(flood, true));
}

TEST_F(ServerClientTest, AnInterruptEndsTheWait) {
  const WakePipe interrupt;
  interrupt.Wake();
  const auto answer = Ask("", false, interrupt.descriptor());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), StatusCode::kCancelled);
}

TEST_F(ServerClientTest, NobodyListens) {
  EXPECT_FALSE(AskServer(Socket(), "/cli", "file-1-2", "{}", {}, -1));
  EXPECT_FALSE(AskServer(std::string(200, 'a'), "/cli", "file-1-2", "{}", {}, -1));
  { const FakeServer server(Socket(), "", true); }  // leaves its socket behind
  EXPECT_FALSE(AskServer(Socket(), "/cli", "file-1-2", "{}", {}, -1));
}

}  // namespace
}  // namespace recall
