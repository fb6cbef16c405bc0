#pragma once

// How the command line of a process is sent to a server, and what it printed is sent back. Both are
// the same program, so nothing here has to be compatible with another version.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run/execution/command_call.h"
#include "cli/server/remote/advertised_socket.h"

namespace recall {

// The path of POST requests with such a call.
inline constexpr std::string_view kRemoteCallPath = "/cli";

// The commands that a server answers for a process.
std::span<const std::string_view> RemoteCommands();

// What must be the same for both processes, so that the same words mean the same to them.
struct Standpoint {
  std::string program;  // the version and the file of the running program
  std::string files;    // the namespace and the root of the names of files
  bool operator==(const Standpoint&) const = default;
};

// That of this process. Returns: nullopt if the system does not tell.
std::optional<Standpoint> OwnStandpoint();

struct RemoteCall {
  Standpoint standpoint;
  std::string store;  // KeyOfStore
  std::string command;
  ProcessCall call;  // call.call.command is not sent
};

// Returns: JSON; nullopt if a text is not UTF-8 or a NUL byte is in it.
std::optional<std::string> EncodeCall(const RemoteCall& call);
std::optional<RemoteCall> DecodeCall(std::string_view json);

// The lines of one server-sent event: "data: out BASE64" for each step, then "data: exit N".
std::vector<std::string> EncodeAnswer(const ProcessAnswer& answer);
// `events`: the body of the response. Returns: nullopt if it is not one whole answer.
std::optional<ProcessAnswer> DecodeAnswer(std::string_view events);

}  // namespace recall
