#include "cli/server/http/socket_activation.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

#include "cli/server/http/listening_socket.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr int kPid = 4711;

TEST(SocketActivation, NumbersTheDescriptorsFromThree) {
  const auto sockets = Must(ParseActivation({"4711", "3", "web:local"}, kPid));
  ASSERT_EQ(sockets.size(), 3U);
  EXPECT_EQ(sockets[0].descriptor, 3);
  EXPECT_EQ(sockets[0].name, "web");
  EXPECT_EQ(sockets[1].descriptor, 4);
  EXPECT_EQ(sockets[1].name, "local");
  EXPECT_EQ(sockets[2].descriptor, 5);
  EXPECT_EQ(sockets[2].name, "");
}

TEST(SocketActivation, IgnoresWhatIsMeantForAnotherProcess) {
  EXPECT_TRUE(Must(ParseActivation({"4712", "1", ""}, kPid)).empty());
  EXPECT_TRUE(Must(ParseActivation({"", "", ""}, kPid)).empty());
  EXPECT_TRUE(Must(ParseActivation({"4711", "0", ""}, kPid)).empty());
}

TEST(SocketActivation, RefusesWhatIsNoNumber) {
  for (const ActivationVariables& variables :
       {ActivationVariables{"me", "1", ""}, ActivationVariables{"4711", "1x", ""},
        ActivationVariables{"4711", "-1", ""}, ActivationVariables{"4711", "1000000", ""},
        ActivationVariables{"4711", "99999999999999999999", ""}}) {
    const auto sockets = ParseActivation(variables, kPid);
    ASSERT_FALSE(sockets) << variables.pid << " " << variables.count;
    EXPECT_EQ(sockets.error().code(), StatusCode::kInvalidArgument);
  }
}

// The programs that this one starts must not take the sockets for their own.
TEST(SocketActivation, TakesTheVariablesAway) {
  ::setenv("LISTEN_PID", "1", 1);
  ::setenv("LISTEN_FDS", "1", 1);
  ::setenv("LISTEN_FDNAMES", "x", 1);
  EXPECT_TRUE(Must(TakePassedSockets()).empty());
  for (const char* const name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) {
    EXPECT_EQ(std::getenv(name), nullptr) << name;
  }
}

StatusCode CodeOfAdopting(int descriptor) {
  const auto socket = ListeningSocket::Adopt(descriptor);
  return socket ? StatusCode::kOk : socket.error().code();
}

TEST(ListeningSocket, AdoptsNothingElse) {
  const int file = ::open("/dev/null", O_RDONLY);
  const int datagrams = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  const int silent = ::socket(AF_UNIX, SOCK_STREAM, 0);
  for (const int descriptor : {file, datagrams, silent, -1}) {
    EXPECT_EQ(CodeOfAdopting(descriptor), StatusCode::kInvalidArgument) << descriptor;
  }
  // They are still open.
  for (const int descriptor : {file, datagrams, silent}) EXPECT_EQ(::close(descriptor), 0);
}

}  // namespace
}  // namespace recall
