#include "cli/execution/command_call.h"

#include <sys/stat.h>

#include <new>
#include <utility>

#include "cli/execution/open_store.h"
#include "cli/settings/recorded_settings.h"

namespace recall {

std::optional<CallRunner::FileIdentity> CallRunner::IdentityOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return FileIdentity{info.st_dev, info.st_ino};
}

Result<Database*> CallRunner::OpenForReading(const StoreLocation& location, const Config& config) {
  const std::optional<FileIdentity> file = IdentityOf(location.path);
  if (reader_ && file == reader_file_ && reader_->path() == location.path) return reader_.get();
  reader_.reset();
  OpenOptions options = OpenOptionsFor(StoreAccess::kRead, location, config);
  options.scope = settings_.scope;
  RECALL_ASSIGN(reader_, Database::Open(location.path, options));
  reader_file_ = file;
  return reader_.get();
}

Result<ExitCode> CallRunner::Execute(Command& command, const FlagSet& flags, Session& session) {
  RECALL_TRY(command.Check(session.flags));
  session.locate = settings_.locate;
  const std::vector<FlagSetting>& own = flags.settings();
  session.locate.settings.insert(session.locate.settings.end(), own.begin(), own.end());
  std::unique_ptr<Database> writer;
  if (command.access() != StoreAccess::kNone) {
    RECALL_ASSIGN(const StoreLocation location, LocateStore(session.locate, &session.warnings));
    session.store_path = location.path;
    session.config = ResolveConfig(location.layers);
    RECALL_TRY(CheckConfig(session.config));
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
