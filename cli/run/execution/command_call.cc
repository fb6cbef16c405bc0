// Runs command lines as calls of a server.
//
// A runner opens the store with the first call that reads, and keeps it open, because opening takes
// longer than a search. It looks at the file before each call, in case another one has taken its
// place.
//
// Answers of searches are kept under a key of all that they depend on: the command line, the state
// of the settings files, the scope, and the newest commit, which is read for each call. An answer
// is kept only if its key is the same before and after it was computed. Therefore nothing is ever
// invalidated: after a commit, of whichever process, the key is another one. A hit costs a read
// transaction and a call of stat(2) for each file. What was compared with the files of documents is
// kept with what these were like (AreAsChecked).

#include "cli/run/execution/command_call.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <new>
#include <thread>
#include <utility>

#include "cli/options/settings/recorded_settings.h"
#include "cli/run/execution/open_store.h"
#include "query/database/asker_directory.h"
#include "storage/base/clock.h"
#include "storage/base/file_times.h"
#include "storage/base/ids.h"
#include "storage/base/question_scope.h"

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

// The commands whose answers are kept: those that search.
constexpr std::array<std::string_view, 5> kCached = {"search", "sessions", "similar", "context",
                                                     "query"};
constexpr std::string_view kExplainFlag = "--explain";

std::atomic<uint64_t> last_call = 0;

}  // namespace

CallRunner::FileStamp CallRunner::StampOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {static_cast<uint64_t>(info.st_dev), info.st_ino, static_cast<uint64_t>(info.st_size),
          ModifiedNanos(info)};
}

bool CallRunner::IsOpen(const std::string& path) const {
  const FileStamp now = StampOf(path);
  return reader_ && reader_->path() == path && now.inode == place_.inode &&
         now.device == place_.device && reader_->losses() == place_.losses;
}

Result<Database*> CallRunner::OpenForReading(const StoreLocation& location, const Config& config) {
  place_.settings_files.clear();
  for (const ConfigFile& file : location.layers.files) {
    place_.settings_files.emplace_back(file.path, StampOf(file.path));
  }
  OpenOptions options = OpenOptionsFor(StoreAccess::kRead, location, config);
  options.scope = settings_.scope;
  options.hide_private = settings_.hide_private;
  options.sources_below = settings_.sources_below;
  options.lender = settings_.lender;
  if (IsOpen(location.path) && OpensAlike(options, reader_options_)) {
    reader_->TakeCheckedFiles();  // those of the call before
    return reader_.get();
  }
  reader_.reset();
  if (settings_.on_event) options.on_stage = [this](const StageEvent& stage) { Tell(stage); };
  const FileStamp file = StampOf(location.path);
  RECALL_ASSIGN(reader_, Database::Open(location.path, options));
  reader_options_ = std::move(options);
  place_.device = file.device;
  place_.inode = file.inode;
  place_.losses = reader_->losses();
  return reader_.get();
}

std::optional<std::string> CallRunner::CacheKey(const CommandCall& call) {
  if (!settings_.cache || std::ranges::find(kCached, call.command->name) == kCached.end()) {
    return std::nullopt;
  }
  if (!reader_ || !IsOpen(reader_->path())) return std::nullopt;
  std::string key;  // its parts, each with its length before it
  const auto add = [&](std::string_view part) {
    key += std::to_string(part.size()) + ":";
    key += part;
  };
  for (const auto& [path, stamp] : place_.settings_files) {
    if (StampOf(path) != stamp) return std::nullopt;
    for (const uint64_t part :
         {stamp.device, stamp.inode, stamp.bytes, static_cast<uint64_t>(stamp.changed_nanos)}) {
      add(std::to_string(part));
    }
  }
  const Result<std::string> commit = reader_->CommitToken();
  if (!commit) return std::nullopt;  // the call itself reports the error
  add(*commit);
  add(std::to_string(place_.losses));
  add(settings_.scope);
  add(settings_.hide_private ? "hide_private" : "");
  for (const std::string& directory : settings_.check_within) add(directory);
  add(call.command->name);
  for (const std::string& arg : call.args) {
    if (arg != kExplainFlag) add(arg);
  }
  const Digest digest = Sha256(key);
  return std::string(digest.begin(), digest.end());
}

Result<ExitCode> CallRunner::Execute(Command& command, const FlagSet& flags,
                                     CommandContext& context) {
  RECALL_TRY(command.Check(context.flags));
  context.locate = settings_.locate;
  context.check_within = settings_.check_within;
  const std::vector<FlagSetting>& own = flags.settings();
  context.locate.settings.insert(context.locate.settings.end(), own.begin(), own.end());
  StoreLocation location;
  if (command.access() != StoreAccess::kNone) {
    RECALL_ASSIGN(location, LocateStore(context.locate, &context.warnings));
    context.store_path = location.path;
    context.config = ResolveConfig(location.layers);
    RECALL_TRY(CheckConfig(context.config));
  }
  return RunInStore(command, location, context);
}

Result<ExitCode> CallRunner::RunInStore(Command& command, const StoreLocation& location,
                                        CommandContext& context) {
  std::unique_ptr<Database> writer;
  if (command.access() == StoreAccess::kRead) {
    RECALL_ASSIGN(context.database, OpenForReading(location, context.config));
  } else if (command.access() == StoreAccess::kWrite) {
    OpenOptions options = OpenOptionsFor(StoreAccess::kWrite, location, context.config);
    options.scope = settings_.scope;
    options.hide_private = settings_.hide_private;
    RecordCopies(context, &options);
    RECALL_ASSIGN(writer, Database::Open(location.path, options));
    context.database = writer.get();
  }
  if (context.database) warned_ = AddServerWarning(*context.database, context);
  if (context.database && command.HoldsToStore() && MayContradictStore(location.layers)) {
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    RECALL_TRY(CheckAgainstStore(location.layers, stats));
  }
  if (!SetRunning(context.database)) return Fail(Status::Cancelled("the request was cancelled"));
  const auto end = [this](Command*) { SetRunning(nullptr); };
  const std::unique_ptr<Command, decltype(end)> running(&command, end);
  return command.Run(context);
}

bool CallRunner::SetRunning(Database* database) {
  const auto set = [this](Database* value) {
    while (held_.exchange(true)) std::this_thread::yield();
    running_ = value;
    held_.store(false);
  };
  set(database);
  if (!cancelled_) return true;
  set(nullptr);     // a Cancel that found it held has left it alone
  reader_.reset();  // a cancelled database stays so
  return false;
}

void CallRunner::CancelRunning() {
  if (held_.exchange(true)) return;
  if (running_ != nullptr) running_->Cancel();
  held_.store(false);
}

void CallRunner::Tell(const StageEvent& stage) const {
  if (settings_.on_event) settings_.on_event({call_, command_, stage, nullptr});
}

CallAnswer CallRunner::Run(const CommandCall& call) {
  const QuestionScope question;
  const int64_t began = SteadyMicros();
  call_ = ++last_call;
  command_ = call.command->name;
  warned_ = false;
  const std::optional<std::string> key = CacheKey(call);
  const bool explains = std::ranges::find(call.args, kExplainFlag) != call.args.end();
  CallAnswer answer;
  if (const auto kept =
          key && !explains && !call.anew ? settings_.cache->Find(*key, began) : nullptr) {
    Tell({kCacheHitStage, /*ended=*/true, SteadyMicros() - began, 1});
    answer.output = *kept;
  } else {
    const bool hit = key && explains && settings_.cache->Contains(*key, began);
    answer = Answer(call, !settings_.cache ? "none" : hit ? "hit" : "miss");
    // If the key is the same before and after, the answer is of its commit and its settings. The
    // first call of a runner, which opens the store, has no key and is not kept. A warning of the
    // server is for one call.
    if (key && !explains && !warned_ && answer.exit == ExitCode::kDone && CacheKey(call) == key) {
      settings_.cache->Insert(*key, answer.output, SteadyMicros(), reader_->TakeCheckedFiles());
    }
  }
  Tell({kDoneStage, /*ended=*/true, SteadyMicros() - began, 0});
  return answer;
}

CallAnswer CallRunner::Answer(const CommandCall& call, std::string_view cache_state) {
  CallAnswer answer;
  StdoutStream out(&answer.output);
  CommandContext context;
  context.out = &out;
  context.query_cache = cache_state;
  context.flags.quiet = settings_.quiet;
  context.lines = call.lines;
  context.take_hits = call.take_hits;
  context.cancelled = &cancelled_;
  if (settings_.program) context.program = *settings_.program;
  if (settings_.on_event) {
    context.on_progress = [this](const AddProgress& progress) {
      settings_.on_event({call_, command_, {}, &progress});
    };
  }
  Result<ExitCode> code = ExitCode::kDone;
  try {
    const std::unique_ptr<Command> command = call.command->make();
    FlagSet flags;
    flags.TakeTextsLiterally();
    command->Declare(flags, context.flags);
    DeclareGlobals(flags, context.flags);
    const Status parsed = flags.Parse(call.args);
    context.flags.as_of = flags.Given("--as-of");
    code = parsed.ok() ? Execute(*command, flags, context) : Fail(parsed);
  } catch (const std::bad_alloc&) {
    code = Fail(Status::NotEnoughMemory());
  }
  // What was read before memory was lacking may be incomplete: the next call opens the store anew.
  if (!code && code.error().code() == StatusCode::kNotEnoughMemory) reader_.reset();
  if (code) {
    answer.exit = *code;
    answer.failure = std::move(context.failure);
    return answer;
  }
  const Failure failure = FailureToReport(code.error());
  answer.exit = failure.exit();
  if (context.flags.mode() == OutputMode::kText) context.flags.json = true;
  PrintFailure(failure, context.flags.mode(), {}, context.warnings, &out);
  answer.failure = failure;
  return answer;
}

std::optional<ProcessAnswer> CallRunner::RunForProcess(const ProcessCall& asked) {
  const QuestionScope question;
  const int64_t began = SteadyMicros();
  call_ = ++last_call;
  command_ = asked.call.command->name;
  ProcessAnswer answer;
  StdoutStream out(&answer.output, asked.out_style.terminal);
  CommandContext context;
  context.out = &out;
  context.out_style = asked.out_style;
  context.error_style = asked.error_style;
  context.warnings = asked.warnings;
  context.pretty_json = asked.pretty_json;
  context.store_path = asked.store.path;
  context.config = ResolveConfig(asked.store.layers);
  const AskerDirectory directory(asked.directory);
  try {
    const std::unique_ptr<Command> command = asked.call.command->make();
    FlagSet flags;
    flags.TakeTextsLiterally();
    command->Declare(flags, context.flags);
    DeclareGlobals(flags, context.flags);
    if (!flags.Parse(asked.call.args).ok()) return std::nullopt;
    context.flags.as_of = flags.Given("--as-of");
    context.flags.lean_from_environment = asked.lean_from_environment;
    context.flags.lean |= asked.lean_from_environment;
    if (!command->Check(context.flags).ok()) return std::nullopt;
    context.flags.stable |= asked.stable;
    if (command->access() != StoreAccess::kRead) return std::nullopt;
    const Result<ExitCode> code = RunInStore(*command, asked.store, context);
    answer.exit = code ? *code : ReportFailure(context, code.error(), asked.error_mode);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
  Tell({kDoneStage, /*ended=*/true, SteadyMicros() - began, 0});
  if (!IsAnswer(answer.exit) || !answer.output.complete()) return std::nullopt;
  return answer;
}

void CallRunner::Renew() { cancelled_ = false; }

void CallRunner::Cancel() {
  cancelled_ = true;
  CancelRunning();
}

}  // namespace recall
