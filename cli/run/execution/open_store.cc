#include "cli/run/execution/open_store.h"

namespace recall {

OpenOptions OpenOptionsFor(StoreAccess access, const StoreLocation& location,
                           const Config& config) {
  OpenOptions options;
  options.read_only = access == StoreAccess::kRead;
  options.busy_timeout_ms = static_cast<int>(config.busy_timeout_ms);
  options.verify_pages = VerificationFrom(config);
  options.embedders = location.layers.programs.embedders;
  options.rankers = location.layers.programs.rankers;
  options.extractors = location.layers.programs.extractors;
  options.passwords = location.layers.programs.passwords;
  return options;
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
