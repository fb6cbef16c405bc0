#include "cli/app/app.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <optional>
#include <string_view>

#include "cli/app/first_steps.h"
#include "cli/app/root_call.h"
#include "cli/commands/commands.h"
#include "cli/compat/rekal/rekal_calls.h"
#include "cli/options/flags/global_flags.h"
#include "cli/options/flags/other_words.h"
#include "cli/options/settings/recorded_settings.h"
#include "cli/run/execution/open_store.h"
#include "cli/run/reference/help.h"
#include "cli/server/remote/run_by_server.h"
#include "cli/show/terminal/pager.h"
#include "cli/show/terminal/signals.h"
#include "cli/show/terminal/terminal.h"
#include "cli/show/terminal/wrap.h"
#include "query/maintenance/build_info.h"
#include "storage/base/question_scope.h"

namespace recall {
namespace {

using Args = std::vector<std::string>;

// Whether `word` is a global flag whose value is the next word: "--store", but not "--store=x".
bool TakesValue(std::string_view word) {
  const std::vector<FlagSet::Entry> known = GlobalEntries();
  return std::any_of(known.begin(), known.end(), [&](const FlagSet::Entry& entry) {
    return !entry.value.empty() && HasSpelling(entry, word);
  });
}

// The index of the verb: the first word that is neither a flag nor the value of a global flag.
size_t FindVerb(const Args& args) {
  size_t i = 0;
  while (i < args.size() && args[i].size() > 1 && args[i][0] == '-' && args[i] != "--") {
    i += TakesValue(args[i]) ? 2 : 1;
  }
  return std::min(i, args.size());
}

bool HasWord(const Args& args, std::string_view word) {
  const auto end = std::find(args.begin(), args.end(), "--");
  return std::find(args.begin(), end, word) != end;
}

// Whether `--jsonl` selects the output format; in some commands it names an input file instead.
bool AnswersInLines(const Args& args, const CommandInfo* command) {
  if (!HasWord(args, "--jsonl")) return false;
  if (command == nullptr) return true;
  const std::vector<FlagSet::Entry> entries = EntriesOf(*command);
  return std::none_of(entries.begin(), entries.end(), [](const FlagSet::Entry& entry) {
    return HasSpelling(entry, "--jsonl") && !entry.value.empty();
  });
}

// The output mode for errors in a command line that may not parse.
OutputMode GuessMode(const Args& args, const CommandInfo* command) {
  if (AnswersInLines(args, command)) return OutputMode::kJsonLines;
  if (HasWord(args, "--lean")) return OutputMode::kLean;
  const auto end = std::find(args.begin(), args.end(), "--");
  const auto format = std::find(args.begin(), end, "--format");
  const bool format_json =
      (format != end && format + 1 != end && format[1] == "json") || HasWord(args, "--format=json");
  return HasWord(args, "--json") || format_json ? OutputMode::kJson : OutputMode::kText;
}

ColorMode ColorModeFrom(std::string_view name) {
  if (name == "always") return ColorMode::kAlways;
  return name == "never" ? ColorMode::kNever : ColorMode::kAuto;
}

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Applies RECALL_SIMD, which is meant for comparing SIMD targets and for the determinism tests.
Status ChooseSimdTarget() {
  const std::string name = Environment("RECALL_SIMD");
  if (name.empty() || UseSimdTarget(name)) return {};
  std::string known;
  for (const std::string& target : BuildInformation().simd_targets) {
    known += (known.empty() ? "" : ", ") + target;
  }
  return Status::InvalidArgument("RECALL_SIMD: unknown SIMD target '" + name + "' here",
                                 "this machine supports " + known);
}

// Reads RECALL_STABLE, which sets --stable for all commands of a script.
Result<bool> StableByEnvironment() {
  const std::string value = Environment("RECALL_STABLE");
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  return Fail(Status::InvalidArgument("RECALL_STABLE must be 0 or 1, not '" + value + "'"));
}

// Reads RECALL_OUTPUT, the form of results for all commands of an agent or a script.
Result<bool> LeanByEnvironment() {
  const std::string value = Environment("RECALL_OUTPUT");
  if (value.empty() || value == "text") return false;
  if (value == "lean") return true;
  return Fail(Status::InvalidArgument("RECALL_OUTPUT must be text or lean, not '" + value + "'",
                                      "correct the variable, or unset it"));
}

// Checks RECALL_JSON, which CommandContext reads.
Status CheckJsonLayout() {
  const std::string value = Environment("RECALL_JSON");
  if (value.empty() || value == "pretty") return {};
  return Status::InvalidArgument("RECALL_JSON must be pretty or empty, not '" + value + "'",
                                 "correct the variable, or unset it");
}

// The first example of a command, without its explanation.
std::string FirstExample(const CommandInfo& command) {
  std::string_view line = command.examples.substr(0, command.examples.find('\n'));
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return std::string(line.substr(0, line.find("   ")));
}

// Adds a hint to an error in the command line: a command to type if something is missing.
Status WithUsage(const Status& status, const CommandInfo& command) {
  const std::string see = "see `recall " + std::string(command.name) + " -h`";
  const bool missing = status.message().ends_with(" is missing");
  return status.WithHint(missing ? "for example: " + FirstExample(command) + " (" + see + ")"
                                 : see);
}

// The store and the settings of a command line that names none.
LocateRequest RequestByEnvironment() {
  return {Environment("RECALL_STORE"), Environment("RECALL_CONFIG"), {}};
}

Result<StoreLocation> LocateByEnvironment() {
  std::vector<std::string> ignored;
  return LocateStore(RequestByEnvironment(), &ignored);
}

// Whether a command would find a store.
bool FindsStore() { return LocateByEnvironment().has_value(); }

// Whether there is no store in the working directory or above it, and none is named.
bool MissesStore() {
  if (!Environment("RECALL_STORE").empty()) return false;
  const auto found = LocateByEnvironment();
  return !found && found.error().code() == StatusCode::kStoreNotFound;
}

std::string WorkingDirectory() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

// Whether the store that `init` would make exists.
bool HasStore() {
  std::vector<std::string> ignored;
  std::error_code error;
  const LocateRequest request = RequestByEnvironment();
  const auto place = PlanStore(request, request.store.empty() ? "." : request.store, &ignored);
  return place && std::filesystem::exists(place->path, error);
}

// Executes one command line: finds the verb, parses the flags, opens the store, runs the command
// and reports errors.
class App final {
 public:
  // With `sessions`, a command line without a command searches sessions.
  App(const Args& args, bool sessions, StdoutStream* out) : args_(args), sessions_(sessions) {
    context_.out = out;
    context_.error_style = StyleOf(2, ColorMode::kAuto);
  }

  ExitCode Run() {
    try {
      return RunVerb();
    } catch (const std::bad_alloc&) {
      return Report(Status::NotEnoughMemory());
    }
  }

  // Whether a person on a terminal has asked a question, and no store was found to answer it.
  bool LacksStoreForQuestion() const {
    const bool asks = info_ == &kSearchCommand || info_ == &kContextCommand;
    return asks && lacks_store_ && context_.locate.store.empty() && !context_.flags.quiet &&
           GuessMode(args_, info_) == OutputMode::kText && IsTerminal(STDIN_FILENO) &&
           IsTerminal(STDOUT_FILENO) && IsTerminal(STDERR_FILENO);
  }

 private:
  ExitCode RunVerb() {
    const size_t verb = FindVerb(args_);
    const bool has_word = verb < args_.size() && args_[verb] != "--";
    info_ = has_word ? FindVerbCommand(args_[verb]) : nullptr;
    // In `recall --author stats JWT`, the value of an option is not a command.
    const bool leads = info_ == nullptr || !UnknownLeadingOption(verb).empty();
    root_ = leads ? ReadRootCall(args_, sessions_) : std::nullopt;
    if (root_) {
      info_ = root_->command;
      if (sessions_ && !IsTerminal(STDOUT_FILENO)) args_ = InShapeOfRekal(std::move(args_));
      return RunCommand();
    }
    if (!has_word) return RunWithoutVerb();
    if (info_ == nullptr) return Report(UnknownCommand(verb));
    args_.erase(args_.begin() + static_cast<ptrdiff_t>(verb));
    return RunCommand();
  }

  // `log` is no command under the program's own name, where it may be a word to search for.
  const CommandInfo* FindVerbCommand(const std::string& word) const {
    return sessions_ && word == kLogCommand.name ? &kLogCommand : FindCommand(word);
  }

  ExitCode RunWithoutVerb() {
    if (HasWord(args_, "--help") || HasWord(args_, "-h")) {
      const bool full = HasWord(args_, "--help");
      PrintHelp(ProgramHelp(CommandGroups(), full), full);
      return ExitCode::kDone;
    }
    if (std::erase(args_, "--version") + std::erase(args_, "-V") > 0) {
      info_ = &kVersionCommand;
      return RunCommand();
    }
    if (const std::string option = UnknownLeadingOption(args_.size()); !option.empty()) {
      return Report(UnknownOption(option));
    }
    // The command line ends with a global option that lacks its value.
    if (!args_.empty() && TakesValue(args_.back()) && args_.back() != "--") {
      return Report(Status::InvalidArgument(args_.back() + " needs a value",
                                            "run `recall -h` for the commands"));
    }
    if (GuessMode(args_, nullptr) != OutputMode::kText) {
      return Report(
          Status::InvalidArgument("the command is missing", "run `recall -h` for the commands"));
    }
    const size_t columns = StyleOf(STDERR_FILENO, ColorMode::kNever).columns;
    const std::string text = args_.empty() && MissesStore() ? FirstSteps(WorkingDirectory())
                                                            : ProgramHelp(CommandGroups(), false);
    std::fputs(WrapLines(text, columns).c_str(), stderr);
    return ExitCode::kUsage;
  }

  // Returns: the first option before `verb` that is not a global one; "" if there is none.
  std::string UnknownLeadingOption(size_t verb) const {
    const std::vector<FlagSet::Entry> known = GlobalEntries();
    for (size_t i = 0; i < verb; i += TakesValue(args_[i]) ? 2 : 1) {
      const std::string name = args_[i].substr(0, args_[i].find('='));
      const bool found = std::any_of(known.begin(), known.end(), [&](const FlagSet::Entry& entry) {
        return HasSpelling(entry, name);
      });
      if (!found && name[0] == '-' && name != "--") return name;
    }
    return "";
  }

  ExitCode RunCommand() {
    command_ = info_->make();
    Command* const command = command_.get();
    FlagSet flags;
    command->Declare(flags, context_.flags);
    DeclareGlobals(flags, context_.flags);
    if (HasWord(args_, "--help") || HasWord(args_, "-h")) {
      const bool full = HasWord(args_, "--help");
      PrintHelp(CommandHelp(*info_, flags.entries(), full), full);
      return ExitCode::kDone;
    }
    if (Status status = flags.Parse(args_); !status.ok()) return Report(WithUsage(status, *info_));
    context_.flags.as_of = flags.Given("--as-of");
    if (Status status = ApplyOutputForm(); !status.ok()) return Report(status);
    InterruptScope interrupts;  // before Check, which may wait for standard input
    if (Status status = command->Check(context_.flags); !status.ok()) {
      return Report(WithUsage(status, *info_));
    }
    Status prepared = Prepare(*command, flags);
    if (root_ && !root_->meant.empty() && (root_->is_other_name || !IsWordOfStore(prepared))) {
      return Report(Status::InvalidArgument("unknown command '" + root_->first_word + "'",
                                            "did you mean `recall " + root_->meant +
                                                "`? To search for the word: recall -- " +
                                                root_->first_word));
    }
    if (!prepared.ok()) return Report(prepared);
    if (root_) TellOfSearch();
    context_.ShowPathsFromHere();
    const RemoteQuestion question{info_->name, command->access(), flags, GuessMode(args_, info_)};
    const auto answered = RunByServer(question, location_, context_);
    if (!answered) return Report(answered.error());
    if (*answered) return **answered;
    const QuestionScope question_scope;
    if (Status status = OpenStore(*command); !status.ok()) return Report(status);
    interrupts.Stop(context_.database);
    const Result<ExitCode> code = command->Run(context_);
    return code ? *code : Report(code.error());
  }

  // Flags have priority over the environment.
  Status ApplyOutputForm() {
    RECALL_ASSIGN(const bool lean, LeanByEnvironment());
    RECALL_TRY(CheckJsonLayout());
    GlobalFlags& flags = context_.flags;
    flags.lean_from_environment =
        lean && flags.lean_by_environment && flags.mode() == OutputMode::kText;
    flags.lean |= flags.lean_from_environment;
    return {};
  }

  // Resolves the settings and finds the store.
  Status Prepare(const Command& command, const FlagSet& flags) {
    const ColorMode color = ColorModeFrom(context_.flags.color);
    context_.out_style = StyleOf(1, color, ColorModeFrom(context_.flags.hyperlink));
    if (!context_.json()) UsePager();
    context_.error_style = StyleOf(2, color);
    context_.locate = {context_.flags.store.value_or(Environment("RECALL_STORE")),
                       context_.flags.config_file.value_or(Environment("RECALL_CONFIG")),
                       flags.settings()};
    RECALL_TRY(ChooseSimdTarget());
    RECALL_TRY(UseOfSqlite());  // rejects unknown values of RECALL_FTS for every command
    RECALL_ASSIGN(const bool stable, StableByEnvironment());
    context_.flags.stable |= stable;
    if (command.access() == StoreAccess::kNone) return {};
    RECALL_ASSIGN(location_, LocateStore(context_.locate, &context_.warnings));
    context_.store_path = location_.path;
    context_.config = ResolveConfig(location_.layers);
    return CheckConfig(context_.config);
  }

  // Starts a pager for long answers on a terminal.
  void UsePager() const {
    const size_t rows = TerminalRows(STDOUT_FILENO);
    if (context_.flags.no_pager || !IsTerminal(STDOUT_FILENO) || rows == 0) return;
    context_.out->PageFrom(rows, TerminalColumns(STDOUT_FILENO), Pager::Command());
  }

  // Prints help within the window; --help and `recall help` in a pager.
  void PrintHelp(const std::string& help, bool full) const {
    if (full && !HasWord(args_, "--no-pager")) UsePager();
    context_.out->Write(WrapLines(help, StyleOf(STDOUT_FILENO, ColorMode::kNever).columns));
  }

  // Opens the store, if the command needs it open.
  Status OpenStore(const Command& command) {
    const StoreAccess access = command.access();
    if (access != StoreAccess::kRead && access != StoreAccess::kWrite) return {};
    OpenOptions options = OpenOptionsFor(access, location_, context_.config);
    options.on_long_wait = [this] { context_.ShowWait(); };
    RecordCopies(context_, &options);
    RECALL_ASSIGN(database_, Database::Open(location_.path, options));
    context_.database = database_.get();
    AddServerWarning(*database_, context_);
    if (!command.HoldsToStore() || !MayContradictStore(location_.layers)) return {};
    RECALL_ASSIGN(const StatsReport stats, context_.database->Stats());
    return CheckAgainstStore(location_.layers, stats);
  }

  // Whether a document contains the first word of a command line without a command.
  bool IsWordOfStore(const Status& prepared) const {
    if (!prepared.ok()) return false;
    const auto database = Database::Open(
        location_.path, OpenOptionsFor(StoreAccess::kRead, location_, context_.config));
    if (!database) return false;
    SearchRequest request;
    request.text = root_->first_word;
    request.mode = SearchMode::kLexical;
    request.expand_words = false;
    request.k = 1;
    const auto found = (*database)->Search(request);
    return found && !found->hits.empty();
  }

  void TellOfSearch() const {
    if (context_.flags.quiet) return;
    const bool sessions = root_->command == &kSessionsCommand;
    std::string text = sessions ? "searched sessions" : "searched";
    if (!root_->words.empty()) text += " for " + EscapeLine(root_->words);
    std::fprintf(stderr, "%s\n", text.c_str());
  }

  static Status UnknownOption(const std::string& option) {
    return Status::InvalidArgument("unknown option '" + option + "' before the command",
                                   "run `recall -h` for the commands");
  }

  Status UnknownCommand(size_t verb) const {
    // In `recall -k 3 search x` the error is the position of -k, not the word 3.
    if (const std::string option = UnknownLeadingOption(verb); !option.empty()) {
      return UnknownOption(option);
    }
    return Status::InvalidArgument("unknown command '" + args_[verb] + "'",
                                   "run `recall -h` for the commands");
  }

  ExitCode Report(const Status& status) {
    lacks_store_ = status.code() == StatusCode::kStoreNotFound;
    if (command_ && command_->Forgives(status)) return ExitCode::kDone;
    return ReportFailure(context_, status, GuessMode(args_, info_));
  }

  Args args_;
  bool sessions_;
  bool lacks_store_ = false;      // the reported error was that
  std::optional<RootCall> root_;  // of a command line without a command
  StoreLocation location_;        // set when a command that uses a store is prepared
  std::unique_ptr<Database> database_;
  CommandContext context_;
  const CommandInfo* info_ = nullptr;
  std::unique_ptr<Command> command_;  // that runs, or has ended
};

// Runs one command line. A question without a store is followed by the offer to make one.
ExitCode RunOffering(const Args& args, StdoutStream* out) {
  App app(args, /*sessions=*/false, out);
  const ExitCode code = app.Run();
  if (!app.LacksStoreForQuestion()) return code;
  const Result<bool> wanted = AskToIndex(WorkingDirectory(), out);
  if (!wanted) return ExitCode::kInterrupted;
  if (!*wanted) return code;
  const auto run = [out](const Args& line) { return App(line, /*sessions=*/false, out).Run(); };
  if (const ExitCode ended = run({"init"}); ended != ExitCode::kDone) return ended;
  // What `add` could not read, and says so, does not keep back the answer.
  if (const ExitCode ended = run({"add"}); ended == ExitCode::kInterrupted) return ended;
  return run(args);
}

// Runs the command lines that one of rekal means.
ExitCode RunAsRekal(const Args& args, StdoutStream* out) {
  std::vector<RekalCall> calls = CallsOfRekal(args, IsTerminal(STDOUT_FILENO));
  // A second `init` makes no store, and installs what is missing.
  if (calls.size() > 1 && !calls.front().may_fail && HasStore()) calls.erase(calls.begin());
  ExitCode code = ExitCode::kDone;
  bool any_done = false;
  for (const RekalCall& call : calls) {
    const ExitCode ended = App(call.args, /*sessions=*/true, out).Run();
    if (ended == ExitCode::kDone) {
      any_done = true;
      continue;
    }
    code = ended;
    if (!call.may_fail || ended == ExitCode::kInterrupted || !FindsStore()) return code;
  }
  return any_done ? ExitCode::kDone : code;
}

}  // namespace

int RunApp(const std::vector<std::string>& args, std::string_view program) {
  PrepareStreams();
  StdoutStream out;
  const bool rekal = IsRekal(program);
  const ExitCode code = rekal ? RunAsRekal(args, &out) : RunOffering(args, &out);
  const Status written = out.Flush();
  out.EndPager();
  if (written.ok()) return static_cast<int>(code);
  std::fprintf(stderr, "error: %s\n", std::string(written.message()).c_str());
  return static_cast<int>(code == ExitCode::kDone ? Failure::FromStatus(written).exit() : code);
}

}  // namespace recall
