#include "cli/server/http/socket_activation.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace recall {
namespace {

constexpr int kFirstPassed = 3;  // SD_LISTEN_FDS_START
constexpr int kMostPassed = 64;

std::optional<int> NumberIn(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::string TakeVariable(const char* name) {
  const char* const value = std::getenv(name);
  std::string text = value == nullptr ? "" : value;
  ::unsetenv(name);
  return text;
}

}  // namespace

Result<std::vector<PassedSocket>> ParseActivation(const ActivationVariables& variables, int pid) {
  std::vector<PassedSocket> sockets;
  if (variables.pid.empty() || variables.count.empty()) return sockets;
  const std::optional<int> meant = NumberIn(variables.pid);
  const std::optional<int> count = NumberIn(variables.count);
  if (!meant || !count || *count > kMostPassed) {
    return Fail(Status::InvalidArgument(
        "LISTEN_PID and LISTEN_FDS must be numbers, but are '" + variables.pid + "' and '" +
            variables.count + "'",
        "they are set by service managers; unset them to let recall make its own socket"));
  }
  if (*meant != pid) return sockets;
  std::string_view names = variables.names;
  for (int i = 0; i < *count; ++i) {
    const size_t colon = std::min(names.find(':'), names.size());
    sockets.push_back({kFirstPassed + i, std::string(names.substr(0, colon))});
    names.remove_prefix(std::min(colon + 1, names.size()));
  }
  return sockets;
}

Result<std::vector<PassedSocket>> TakePassedSockets() {
  ActivationVariables variables;
  variables.pid = TakeVariable("LISTEN_PID");
  variables.count = TakeVariable("LISTEN_FDS");
  variables.names = TakeVariable("LISTEN_FDNAMES");
  RECALL_ASSIGN(std::vector<PassedSocket> sockets, ParseActivation(variables, ::getpid()));
  for (const PassedSocket& socket : sockets) ::fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC);
  return sockets;
}

}  // namespace recall
