// The units of systemd, as they are installed.

#include <filesystem>
#include <string>

#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/serving.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class UnitsTest : public RecallTest {
 protected:
  void SetUp() override {
    const ShellResult result =
        RunShell("cmake --install " + ShellQuoted(BuildDir()) + " --prefix prefix", directory());
    ASSERT_EQ(result.exit, 0) << result.out;
  }
  std::string Unit(const std::string& name) { return Read("prefix/lib/systemd/user/" + name); }
};

// The value of a line "KEY=VALUE".
std::string ValueOf(const std::string& unit, const std::string& key) {
  const size_t at = unit.find("\n" + key + "=");
  if (at == std::string::npos) return "";
  const size_t begin = at + key.size() + 2;
  return unit.substr(begin, unit.find('\n', begin) - begin);
}

TEST_F(UnitsTest, SystemdAcceptsThem) {
  const ShellResult found = RunShell("command -v systemd-analyze", directory());
  if (found.exit != 0) GTEST_SKIP() << "systemd is not installed";
  const ShellResult result = RunShell(
      "export XDG_RUNTIME_DIR=$PWD; cd prefix/lib/systemd/user; systemd-analyze --user --man=no "
      "verify ./recall.socket ./recall.service ./recall@home-me.socket ./recall@home-me.service",
      directory());
  EXPECT_EQ(result.exit, 0) << result.out;
  EXPECT_EQ(result.out.find("recall"), std::string::npos) << result.out;
}

TEST_F(UnitsTest, StartTheInstalledProgramOnTheirSocket) {
  MakeSmallStore();
  const std::string program = Path("prefix/bin/recall");
  EXPECT_EQ(ValueOf(Unit("recall.service"), "ExecStart"), program + " serve --idle 30m");
  EXPECT_EQ(ValueOf(Unit("recall@.service"), "ExecStart"),
            program + " serve --store %f --idle 30m");
  for (const std::string name : {"recall.socket", "recall@.socket"}) {
    EXPECT_EQ(ValueOf(Unit(name), "SocketMode"), "0600");
  }
  // As systemd starts recall@.service: with the socket as descriptor 3.
  const PassedListener listener = PassedListener::AtPath(Path("default.sock"));
  Serving server(directory(), {"--idle", "30m"}, {listener.fd()}, program);
  EXPECT_EQ(Post(RawClient::ToSocket(Path("default.sock")), "/v1/ls", "{}").status, 200);
  EXPECT_EQ(server.Stop(), 0);
}

}  // namespace
}  // namespace recall
