#include "tests/cli/server/http/serving.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/shell.h"

namespace recall {
namespace {

using nlohmann::ordered_json;

// Beyond the descriptors that are passed: spawned programs see 3, 4, ...
constexpr int kHighDescriptor = 100;

template <typename Address>
int Listen(int family, const Address& address) {
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(::listen(fd, 10), 0);
  const int high = ::fcntl(fd, F_DUPFD_CLOEXEC, kHighDescriptor);
  ::close(fd);
  return high;
}

}  // namespace

PassedListener PassedListener::AtPath(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return {Listen(AF_UNIX, address), 0};
}

PassedListener PassedListener::OnPort(const char* text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  EXPECT_EQ(::inet_pton(AF_INET, text, &address.sin_addr), 1);
  const int fd = Listen(AF_INET, address);
  socklen_t size = sizeof(address);
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  return {fd, ntohs(address.sin_port)};
}

PassedListener::~PassedListener() {
  if (fd_ >= 0) ::close(fd_);
}

Serving::Serving(const std::string& store, std::vector<std::string> args, std::vector<int> passed,
                 const std::string& program, const std::string& browser) {
  args.insert(args.begin(), {program, "serve", "--json", "--store", store});
  std::string command;
  // The number of the process is known in the process only.
  if (!passed.empty()) {
    command = "LISTEN_FDS=" + std::to_string(passed.size()) + " LISTEN_PID=$$ ";
  }
  command += "BROWSER=" + ShellQuoted(browser) + " exec";
  for (const std::string& arg : args) command += " " + ShellQuoted(arg);
  std::string shell = "/bin/sh";
  std::string flag = "-c";
  char* argv[] = {shell.data(), flag.data(), command.data(), nullptr};
  int out[2];
  EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], 2);
  for (size_t i = 0; i < passed.size(); ++i) {
    ::posix_spawn_file_actions_adddup2(&actions, passed[i], static_cast<int>(3 + i));
  }
  EXPECT_EQ(::posix_spawn(&pid_, shell.c_str(), &actions, nullptr, argv, environ), 0);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  said_ = out[0];
  answer_ = ordered_json::parse(NextLine(), nullptr, false);
  if (answer_.is_object() && answer_.contains("serve")) serve_ = answer_["serve"];
}

Serving::~Serving() {
  if (pid_ > 0) Stop();
  ::close(said_);
}

std::string Serving::NextLine() const {
  std::string line;
  char c = 0;
  while (::read(said_, &c, 1) == 1 && c != '\n') line += c;
  return line;
}

uint16_t Serving::port() const {
  const std::string url = serve_["url"];
  return static_cast<uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
}

int Serving::Stop() {
  ::kill(pid_, SIGTERM);
  return Wait();
}

int Serving::Wait() {
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

ServedAnswer AnswerOf(RawClient client) {
  const std::string response = client.ReadResponse();
  const size_t end = response.find("\r\n\r\n");
  if (end == std::string::npos) return {};
  return {std::stoi(response.substr(9, 3)), response.substr(end + 4)};
}

ServedAnswer Post(RawClient client, const std::string& path, const std::string& body,
                  const std::string& headers) {
  client.Post(path, body, headers + "Content-Type: application/json\r\n");
  return AnswerOf(std::move(client));
}

ServedAnswer Get(RawClient client, const std::string& path) {
  client.Send("GET " + path + " HTTP/1.1\r\nHost: recall\r\n\r\n");
  return AnswerOf(std::move(client));
}

}  // namespace recall
