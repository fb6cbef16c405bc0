#include "cli/execution/command_call.h"

#include <sys/stat.h>

#include <new>
#include <utility>

#include "cli/execution/open_store.h"
#include "cli/settings/recorded_settings.h"
#include "query/asker_directory.h"

namespace recall {
namespace {

// Whether a store that was opened with `a` can answer in place of one that is opened with `b`.
bool OpensAlike(const OpenOptions& a, const OpenOptions& b) {
  const auto without_programs = [](const OpenOptions& options) {
    return options.embedders.empty() && options.rankers.empty();
  };
  return a.busy_timeout_ms == b.busy_timeout_ms && a.verify_pages == b.verify_pages &&
         without_programs(a) == without_programs(b);
}

// Whether the outcome depends on the store, the command line and the settings alone. Other errors
// may come from the limits and rights of this process.
bool IsAnswer(ExitCode exit) {
  return exit == ExitCode::kDone || exit == ExitCode::kAbsent || exit == ExitCode::kUsage;
}

}  // namespace

std::optional<CallRunner::FileIdentity> CallRunner::IdentityOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino};
}

Result<Database*> CallRunner::OpenForReading(const StoreLocation& location, const Config& config) {
  const std::optional<FileIdentity> file = IdentityOf(location.path);
  OpenOptions options = OpenOptionsFor(StoreAccess::kRead, location, config);
  options.scope = settings_.scope;
  if (reader_ && file == reader_file_ && reader_->path() == location.path &&
      OpensAlike(options, reader_options_)) {
    return reader_.get();
  }
  reader_.reset();
  RECALL_ASSIGN(reader_, Database::Open(location.path, options));
  reader_file_ = file;
  reader_options_ = std::move(options);
  return reader_.get();
}

Result<ExitCode> CallRunner::Execute(Command& command, const FlagSet& flags, Session& session) {
  RECALL_TRY(command.Check(session.flags));
  session.locate = settings_.locate;
  const std::vector<FlagSetting>& own = flags.settings();
  session.locate.settings.insert(session.locate.settings.end(), own.begin(), own.end());
  StoreLocation location;
  if (command.access() != StoreAccess::kNone) {
    RECALL_ASSIGN(location, LocateStore(session.locate, &session.warnings));
    session.store_path = location.path;
    session.config = ResolveConfig(location.layers);
    RECALL_TRY(CheckConfig(session.config));
  }
  return RunInStore(command, location, session);
}

Result<ExitCode> CallRunner::RunInStore(Command& command, const StoreLocation& location,
                                        Session& session) {
  std::unique_ptr<Database> writer;
  if (command.access() == StoreAccess::kRead) {
    RECALL_ASSIGN(session.database, OpenForReading(location, session.config));
  } else if (command.access() == StoreAccess::kWrite) {
    OpenOptions options = OpenOptionsFor(StoreAccess::kWrite, location, session.config);
    options.scope = settings_.scope;
    RECALL_ASSIGN(writer, Database::Open(location.path, options));
    session.database = writer.get();
  }
  if (session.database && command.HoldsToStore() && MayContradictStore(location.layers)) {
    RECALL_ASSIGN(const StatsReport stats, session.database->Stats());
    RECALL_TRY(CheckAgainstStore(location.layers, stats));
  }
  if (!SetRunning(session.database)) return Fail(Status::Cancelled("the request was cancelled"));
  const auto end = [this](Command*) { SetRunning(nullptr); };
  const std::unique_ptr<Command, decltype(end)> running(&command, end);
  return command.Run(session);
}

bool CallRunner::SetRunning(Database* database) {
  const std::lock_guard lock(mutex_);
  running_ = cancelled_ ? nullptr : database;
  if (cancelled_ && database == nullptr) reader_.reset();  // a cancelled database stays so
  return !cancelled_;
}

CallAnswer CallRunner::Run(const CommandCall& call) {
  CallAnswer answer;
  StdoutStream out(&answer.output);
  Session session;
  session.out = &out;
  Result<ExitCode> code = ExitCode::kDone;
  try {
    const std::unique_ptr<Command> command = call.command->make();
    FlagSet flags;
    flags.TakeTextsLiterally();
    command->Declare(flags, session.flags);
    DeclareGlobals(flags, session.flags);
    const Status parsed = flags.Parse(call.args);
    code = parsed.ok() ? Execute(*command, flags, session) : Fail(parsed);
  } catch (const std::bad_alloc&) {
    code = Fail(Status::NotEnoughMemory());
  }
  if (code) {
    answer.exit = *code;
    return answer;
  }
  const Failure failure = FailureToReport(code.error());
  answer.exit = failure.exit();
  if (session.flags.mode() == OutputMode::kText) session.flags.json = true;
  PrintFailure(failure, session.flags.mode(), {}, session.warnings, &out);
  return answer;
}

std::optional<ProcessAnswer> CallRunner::RunForProcess(const ProcessCall& asked) {
  ProcessAnswer answer;
  StdoutStream out(&answer.output, asked.out_style.terminal);
  Session session;
  session.out = &out;
  session.out_style = asked.out_style;
  session.error_style = asked.error_style;
  session.warnings = asked.warnings;
  session.pretty_json = asked.pretty_json;
  session.store_path = asked.store.path;
  session.config = ResolveConfig(asked.store.layers);
  const AskerDirectory directory(asked.directory);
  try {
    const std::unique_ptr<Command> command = asked.call.command->make();
    FlagSet flags;
    flags.TakeTextsLiterally();
    command->Declare(flags, session.flags);
    DeclareGlobals(flags, session.flags);
    if (!flags.Parse(asked.call.args).ok()) return std::nullopt;
    session.flags.lean_from_environment = asked.lean_from_environment;
    session.flags.lean |= asked.lean_from_environment;
    if (!command->Check(session.flags).ok()) return std::nullopt;
    session.flags.stable |= asked.stable;
    if (command->access() != StoreAccess::kRead) return std::nullopt;
    const Result<ExitCode> code = RunInStore(*command, asked.store, session);
    answer.exit = code ? *code : ReportFailure(session, code.error(), asked.error_mode);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  if (!IsAnswer(answer.exit) || !answer.output.complete()) return std::nullopt;
  return answer;
}

void CallRunner::Renew() {
  const std::lock_guard lock(mutex_);
  cancelled_ = false;
}

void CallRunner::Cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (running_ != nullptr) running_->Cancel();
}

}  // namespace recall
