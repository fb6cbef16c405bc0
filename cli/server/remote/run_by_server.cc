#include "cli/server/remote/run_by_server.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "cli/options/flags/text_argument.h"
#include "cli/server/remote/advertised_socket.h"
#include "cli/server/remote/remote_call.h"
#include "cli/server/remote/server_client.h"
#include "cli/server/remote/started_server.h"
#include "cli/show/terminal/signals.h"
#include "storage/base/wake_pipe.h"

namespace recall {
namespace {

enum class ServeChoice { kAuto, kStart, kNever, kAlways };

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Reads RECALL_SERVE.
Result<ServeChoice> ServeChoiceByEnvironment() {
  const std::string value = Variable("RECALL_SERVE");
  if (value.empty() || value == "auto") return ServeChoice::kAuto;
  if (value == "start") return ServeChoice::kStart;
  if (value == "never") return ServeChoice::kNever;
  if (value == "always") return ServeChoice::kAlways;
  return Fail(Status::InvalidArgument(
      "RECALL_SERVE must be auto, start, never or always, not '" + value + "'",
      "correct the variable, or unset it"));
}

// Whether a text may be a query with USING.
bool NamesRetrievers(std::string_view rql) {
  constexpr std::string_view kUsing = "using";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  return std::search(rql.begin(), rql.end(), kUsing.begin(), kUsing.end(), same) != rql.end();
}

// The command line with the texts that this process has read in place of the arguments that named
// them. Returns: nullopt if it is not certain which arguments these are, or if one is left that the
// server would take for a text of its own.
std::optional<std::vector<std::string>> ArgsWithTexts(const RemoteQuestion& question) {
  constexpr std::string_view kInput = "@-";
  constexpr std::string_view kInputSwitch = "--rql-stdin";
  const auto texts = TextsRead();
  std::vector<size_t> uses(texts.size(), 0);
  bool certain = true;
  const auto read = [&](std::string_view argument) -> const std::string* {
    const auto found = std::ranges::find(texts, argument, &TextRead::argument);
    if (found == texts.end()) return nullptr;
    ++uses[static_cast<size_t>(found - texts.begin())];
    return &found->text;
  };
  auto args = question.flags.Spelled([&](const std::string& value) {
    const std::string* const text = read(value == "-" ? kInput : value);
    const std::string& sent = text == nullptr ? value : *text;
    certain &= sent != "-" && !sent.starts_with('@');
    return sent;
  });
  const auto words = std::ranges::find(args, "--");
  if (const auto input = std::find(args.begin(), words, kInputSwitch); input != words) {
    const std::string* const text = read(kInput);
    certain &= text != nullptr;
    if (text != nullptr) *input = "--rql=" + *text;
  }
  // `hook` reads its event without an argument that says so.
  if (question.command == "hook") {
    if (const std::string* const text = read(kInput)) args.insert(words, "--input=" + *text);
  }
  certain &= std::ranges::all_of(uses, [](size_t times) { return times == 1; });
  return certain ? std::optional(std::move(args)) : std::nullopt;
}

// Whether a command takes long enough for a server to be sooner: those that rank, which need the
// vector space, and stats. Others are done before a server would have answered (decision 0046).
bool GainsByServer(const RemoteQuestion& question) {
  if (question.command == "get" || question.command == "ls") return false;
  if (question.command != "query") return true;
  bool ranks = false;
  question.flags.Spelled([&](const std::string& value) {
    ranks |= NamesRetrievers(value);
    return value;
  });
  return ranks || std::ranges::any_of(TextsRead(), NamesRetrievers, &TextRead::text);
}

// Why a server cannot answer in place of this process; "" if it can.
std::string_view WhyNot(const RemoteQuestion& question, const std::vector<std::string>& args,
                        const StoreLocation& store, const CommandContext& context) {
  // Both tell of the memory of the process, and --explain of its times.
  if (const auto words = std::ranges::find(args, "--");
      std::find(args.begin(), words, "--explain") != words) {
    return "--explain tells of this process";
  }
  if (question.command == "stats" && context.json() && !context.flags.stable) {
    return "stats --json tells of this process";
  }
  const UserPrograms& programs = store.layers.programs;
  if (!programs.embedders.empty() || !programs.rankers.empty()) {
    return "the settings name embedders or rankers of the user";
  }
  if (!store.layers.secrets.rules.empty() || !store.layers.secrets.allow.empty()) {
    return "the settings have rules for secrets";
  }
  const std::string counter = TokenCounterFrom(context.config);
  if (counter != kEstimateCounter && counter != kWordsCounter && !counter.starts_with('/')) {
    return "the token counter is a relative path";
  }
  if (!Variable("RECALL_SIMD").empty() || !Variable("RECALL_FTS").empty()) {
    return "RECALL_SIMD or RECALL_FTS is set";
  }
  return "";
}

ProcessCall CallOf(const RemoteQuestion& question, std::vector<std::string> args,
                   const StoreLocation& store, const CommandContext& context) {
  std::error_code error;
  ProcessCall call;
  call.call.args = std::move(args);
  call.error_mode = question.error_mode;
  call.lean_from_environment = context.flags.lean_from_environment;
  call.stable = context.flags.stable;
  call.pretty_json = context.pretty_json;
  call.store.path = store.path;
  call.store.layers = store.layers;
  call.warnings = context.warnings;
  call.directory = std::filesystem::current_path(error).string();
  call.out_style = context.out_style;
  call.error_style = context.error_style;
  return call;
}

// A descriptor that the first Ctrl-C makes readable.
class Interruption final {
 public:
  Interruption() : wake_(pipe_.wake_descriptor()) {}
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int descriptor() const { return pipe_.descriptor(); }

 private:
  const WakePipe pipe_;
  const InterruptFlag flag_;
  const InterruptWake wake_;
};

// Errors: Cancelled after an interrupt; NotFound if there is no server; IoError with another reason
// why there is no answer.
Result<ProcessAnswer> Ask(const RemoteQuestion& question, const StoreLocation& store,
                          const CommandContext& context, const ServerTimes& times) {
  const auto refused = [](std::string_view reason) {
    return Fail(Status::IoError(std::string(reason)));
  };
  const auto key = KeyOfStore(store.path);
  if (!key) return refused("the store has gone");
  const std::string socket = SocketLinkOf(*key);
  auto args = ArgsWithTexts(question);
  if (!args) return refused("it is not certain which arguments name texts");
  const auto reason = WhyNot(question, *args, store, context);
  if (!reason.empty()) return refused(reason);
  if (::access(socket.c_str(), F_OK) != 0) {
    return Fail(Status::NotFound("no server of this store runs"));
  }
  const auto standpoint = OwnStandpoint();
  RemoteCall remote{standpoint.value_or(Standpoint()), *key, std::string(question.command),
                    CallOf(question, *std::move(args), store, context)};
  if (!standpoint || remote.call.directory.empty()) {
    return refused("the program or the working directory cannot be found");
  }
  const auto body = EncodeCall(remote);
  if (!body) return refused("an argument or a path is not UTF-8");
  const Interruption interruption;
  RECALL_ASSIGN(const std::string events,
                AskServer(socket, kRemoteCallPath, *key, *body, times, interruption.descriptor()));
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
                                            const StoreLocation& store, CommandContext& context) {
  RECALL_ASSIGN(const ServeChoice choice, ServeChoiceByEnvironment());
  const bool known = std::ranges::count(RemoteCommands(), question.command) > 0;
  if (!known || question.access != StoreAccess::kRead || context.flags.no_serve ||
      choice == ServeChoice::kNever) {
    return std::nullopt;
  }
  if (choice != ServeChoice::kAlways && !GainsByServer(question)) return std::nullopt;
  ServerTimes times;
  if (choice == ServeChoice::kAlways) times.begin = times.look;
  const Result<ProcessAnswer> answer = Ask(question, store, context, times);
  if (answer) {
    Print(answer->output, context.out);
    return answer->exit;
  }
  const Status& reason = answer.error();
  if (reason.code() == StatusCode::kCancelled) {
    // As this process would say it.
    return Fail(Status::Cancelled(store.path + ": cannot read the store: interrupted"));
  }
  if (choice == ServeChoice::kStart && reason.code() == StatusCode::kNotFound) {
    if (const auto key = KeyOfStore(store.path)) StartServer(store.path, *key);
  }
  if (choice != ServeChoice::kAlways) return std::nullopt;
  return Fail(Status::IoError("RECALL_SERVE=always: " + std::string(reason.message()),
                              "start `recall serve`, or unset RECALL_SERVE"));
}

}  // namespace recall
