#include "cli/remote/run_by_server.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/remote/published_socket.h"
#include "cli/remote/remote_call.h"
#include "cli/remote/server_client.h"
#include "cli/terminal/signals.h"

namespace recall {
namespace {

enum class ServeChoice { kAuto, kNever, kAlways };

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Reads RECALL_SERVE.
Result<ServeChoice> ServeChoiceByEnvironment() {
  const std::string value = Variable("RECALL_SERVE");
  if (value.empty() || value == "auto") return ServeChoice::kAuto;
  if (value == "never") return ServeChoice::kNever;
  if (value == "always") return ServeChoice::kAlways;
  return Fail(
      Status::InvalidArgument("RECALL_SERVE must be auto, never or always, not '" + value + "'",
                              "correct the variable, or unset it"));
}

// Whether a word may stand for a text that only this process can read: standard input or a file.
bool MayNameText(std::string_view word) {
  return word == "-" || word.starts_with('@') || word.find("=@") != word.npos ||
         word == "--rql-stdin";
}

// Why a server cannot answer in place of this process; "" if it can.
std::string_view WhyNot(const RemoteQuestion& question, const StoreLocation& store,
                        const Session& session) {
  if (std::ranges::any_of(question.args, MayNameText)) return "a text is read from elsewhere";
  // What is explained includes the times and the memory of the process.
  if (std::ranges::count(question.args, "--explain") > 0) return "--explain is about this process";
  const UserPrograms& programs = store.layers.programs;
  if (!programs.embedders.empty() || !programs.rankers.empty()) {
    return "the settings name embedders or rankers of the user";
  }
  const std::string counter = TokenCounterFrom(session.config);
  if (counter != kEstimateCounter && counter != kWordsCounter && !counter.starts_with('/')) {
    return "the token counter is a relative path";
  }
  if (!Variable("RECALL_SIMD").empty() || !Variable("RECALL_FTS").empty()) {
    return "RECALL_SIMD or RECALL_FTS is set";
  }
  return "";
}

ProcessCall CallOf(const RemoteQuestion& question, const StoreLocation& store,
                   const Session& session) {
  std::error_code error;
  ProcessCall call;
  call.call.args = question.args;
  call.error_mode = question.error_mode;
  call.lean_from_environment = session.flags.lean_from_environment;
  call.stable = session.flags.stable;
  call.pretty_json = session.pretty_json;
  call.store.path = store.path;
  call.store.layers = store.layers;
  call.warnings = session.warnings;
  call.directory = std::filesystem::current_path(error).string();
  call.out_style = session.out_style;
  call.error_style = session.error_style;
  return call;
}

// A descriptor that the first Ctrl-C makes readable.
class Interruption final {
 public:
  Interruption() : descriptor_(::eventfd(0, EFD_CLOEXEC)), wake_(descriptor_) {}
  ~Interruption() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  const int descriptor_;
  const InterruptFlag flag_;
  const InterruptWake wake_;
};

// Errors: Cancelled after an interrupt; IoError with the reason why there is no answer.
Result<ProcessAnswer> Ask(const RemoteQuestion& question, const StoreLocation& store,
                          const Session& session, const ServerTimes& times) {
  const auto refused = [](std::string_view reason) {
    return Fail(Status::IoError(std::string(reason)));
  };
  const auto file = IdentityOfFile(store.path);
  if (!file) return refused("the store has gone");
  const std::string socket = SocketLinkOf(*file);
  if (socket.empty()) return refused("XDG_RUNTIME_DIR is not set");
  if (::access(socket.c_str(), F_OK) != 0) return refused("no server of this store runs");
  if (const auto reason = WhyNot(question, store, session); !reason.empty()) return refused(reason);
  const auto standpoint = OwnStandpoint();
  RemoteCall remote{standpoint.value_or(Standpoint()), *file, std::string(question.command),
                    CallOf(question, store, session)};
  if (!standpoint || remote.call.directory.empty()) {
    return refused("the program or the working directory cannot be found");
  }
  const auto body = EncodeCall(remote);
  if (!body) return refused("an argument or a path is not UTF-8");
  const Interruption interruption;
  RECALL_ASSIGN(const std::string events,
                AskServer(socket, kRemoteCallPath, *body, times, interruption.descriptor()));
  auto answer = DecodeAnswer(events);
  if (!answer) return refused("the server could not answer");
  return *std::move(answer);
}

void Print(const RecordedOutput& output, StdoutStream* out) {
  for (const OutputStep& step : output.steps()) {
    switch (step.kind) {
      case OutputStep::Kind::kOut:
        out->Write(step.text);
        break;
      case OutputStep::Kind::kError:
        out->WriteError(step.text);
        break;
      case OutputStep::Kind::kFlush:
        out->Flush().IgnoreError();  // the end of the program reports it
        break;
    }
  }
}

}  // namespace

Result<std::optional<ExitCode>> RunByServer(const RemoteQuestion& question,
                                            const StoreLocation& store, Session& session) {
  RECALL_ASSIGN(const ServeChoice choice, ServeChoiceByEnvironment());
  const bool known = std::ranges::count(RemoteCommands(), question.command) > 0;
  if (!known || question.access != StoreAccess::kRead || session.flags.no_serve ||
      choice == ServeChoice::kNever) {
    return std::nullopt;
  }
  ServerTimes times;
  if (choice == ServeChoice::kAlways) times.begin = times.look;
  const Result<ProcessAnswer> answer = Ask(question, store, session, times);
  if (answer) {
    Print(answer->output, session.out);
    return answer->exit;
  }
  const Status& reason = answer.error();
  if (reason.code() == StatusCode::kCancelled) {
    // As this process would say it.
    return Fail(Status::Cancelled(store.path + ": cannot read the store: interrupted"));
  }
  if (choice == ServeChoice::kAuto) return std::nullopt;
  return Fail(Status::IoError("RECALL_SERVE=always: " + std::string(reason.message()),
                              "start `recall serve`, or unset RECALL_SERVE"));
}

}  // namespace recall
