#include "cli/run/execution/open_store.h"

#include "cli/run/execution/auto_backup.h"
#include "cli/run/execution/runtime_directory.h"

namespace recall {

OpenOptions OpenOptionsFor(StoreAccess access, const StoreLocation& location,
                           const Config& config) {
  OpenOptions options;
  options.read_only = access == StoreAccess::kRead;
  options.busy_timeout_ms = static_cast<int>(config.busy_timeout_ms);
  options.verify_pages = VerificationFrom(config);
  if (options.read_only) options.verified_directory = RuntimeDirectory();
  options.embedders = location.layers.programs.embedders;
  options.rankers = location.layers.programs.rankers;
  options.extractors = location.layers.programs.extractors;
  options.passwords = location.layers.programs.passwords;
  if (config.auto_backup > 0) {
    options.before_upgrade = [path = location.path, config] {
      const Result<std::string> copy = BackUpStore(path, config);
      return copy ? Status::Ok() : copy.error();
    };
  }
  return options;
}

void RecordCopies(CommandContext& context, OpenOptions* options) {
  if (context.config.auto_backup == 0) return;
  options->before_upgrade = [&context]() -> Status {
    RECALL_ASSIGN(context.backup, BackUpStore(context.store_path, context.config));
    context.warnings.push_back("copied the store to " + context.backup +
                               " before its format is brought up to date");
    return Status::Ok();
  };
}

bool AddServerWarning(Database& database, CommandContext& context) {
  std::string warning = database.TakeWarning();
  if (warning.empty()) return false;
  context.warnings.push_back(std::move(warning));
  return true;
}

Failure FailureToReport(const Status& status) {
  if (status.code() != StatusCode::kCorruption) return Failure::FromStatus(status);
  return Failure::FromStatus(
      status.WithHint("run `recall doctor`, which reports the damage and can repair derived data"));
}

ExitCode ReportFailure(CommandContext& context, const Status& status, OutputMode guessed) {
  const Failure failure = FailureToReport(status);
  const OutputMode mode = guessed == OutputMode::kText ? context.flags.mode() : guessed;
  if (mode == OutputMode::kText) context.PrintWarnings();
  PrintFailure(failure, mode, context.error_style, context.warnings, context.out,
               context.pretty_json);
  return failure.exit();
}

}  // namespace recall
