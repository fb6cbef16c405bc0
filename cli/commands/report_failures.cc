#include "cli/commands/report_failures.h"

#include <string>
#include <utility>

#include "cli/show/output/text_output.h"
#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

// Documents on which an extractor crashed or ran out of time may have text after all. Others
// without text are as they should be.
std::optional<Failure> ExtractionFailureOf(const AddReport& report) {
  int64_t stopped = 0;
  for (const std::string outcome : {"timed_out", "crashed"}) {
    const auto found = report.extracted.find(outcome);
    if (found != report.extracted.end()) stopped += found->second;
  }
  if (stopped == 0) return std::nullopt;
  return Failure::FromStatus(
      Status::IoError(Plural(stopped, "document") + " could not be extracted",
                      "the warnings name them; --retry-failed tries them again"));
}

// More documents were skipped than may be.
std::optional<Failure> SkippedFailureOf(const AddReport& report, bool lines,
                                        std::optional<int64_t> max_skipped) {
  if (!max_skipped || report.skipped <= *max_skipped) return std::nullopt;
  return Failure::FromStatus(Status::LimitExceeded(
      "skipped " + Plural(report.skipped, lines ? "line" : "file") + ", more than the " +
          std::to_string(*max_skipped) + " of --max-skipped",
      "the warnings say why; the others were added"));
}

}  // namespace

std::optional<Failure> FailureOfAdd(const AddReport& report, bool lines,
                                    std::optional<int64_t> max_skipped) {
  const auto failure = [lines](const std::string& message, std::string hint) {
    return Failure::FromStatus(lines ? Status::InvalidArgument(message, std::move(hint))
                                     : Status::IoError(message, std::move(hint)));
  };
  if (report.cancelled) {
    return Failure::FromStatus(Status::Cancelled("interrupted; the committed documents are kept",
                                                 "run the same command again to continue"));
  }
  if (!report.fault.ok()) return Failure::FromStatus(report.fault);
  if (report.failed == 0) {
    const std::optional<Failure> extraction = ExtractionFailureOf(report);
    return extraction ? extraction : SkippedFailureOf(report, lines, max_skipped);
  }
  const std::string failed = lines ? Plural(report.failed, "line") + " could not be added"
                                   : Plural(report.failed, "file") + " could not be read";
  if (report.gave_up) {
    return failure(
        "gave up after " + failed,
        "the committed documents are kept; without --max-errors the others are added, too");
  }
  return failure(failed, "the warnings name them; the others were added");
}

std::optional<Failure> FailureOfGivenLines(const AddReport& report,
                                           std::optional<int64_t> max_skipped) {
  std::optional<Failure> failure = FailureOfAdd(report, /*lines=*/true, max_skipped);
  if (!failure || report.failures.empty() || report.cancelled || !report.fault.ok()) return failure;
  const AddFailure& first = report.failures.front();
  const std::string where =
      first.path.empty() ? "line " + std::to_string(first.line) : EscapeLine(first.path);
  const std::string why = where + ": " + first.reason;
  const bool alone = report.failed == 1 && !report.gave_up;
  failure->message = alone ? why : failure->message + "; the first is " + why;
  if (alone && report.Total() == 1) failure->hint = "";
  return failure;
}

std::optional<Failure> FailureOfCapture(const CaptureReport& report) {
  if (report.cancelled) {
    return Failure::FromStatus(Status::Cancelled("interrupted; the captured sessions are kept",
                                                 "run the same command again to continue"));
  }
  if (!report.failed.empty()) {
    const auto count = static_cast<int64_t>(report.failed.size());
    return Failure::FromStatus(
        Status::IoError(Plural(count, "transcript") + " could not be captured",
                        "the warnings name them; the others were captured"));
  }
  if (report.with_secrets > 0) {
    return Failure::FromStatus(Status::IoError(
        Plural(report.with_secrets, "session") + " left out because of credentials in them",
        "--secrets redact captures them without the credentials"));
  }
  return std::nullopt;
}

std::optional<Failure> FailureOfDoctor(const DoctorReport& report) {
  if (report.errors == 0) return std::nullopt;
  bool fixable = false;
  for (const DoctorFinding& finding : report.findings) fixable |= finding.fixable && !finding.fixed;
  return Failure{
      .code = ErrorCode::kCorruption,
      .message = "the store is damaged: " + Plural(report.errors, "kind") + " of error",
      .hint = fixable ? "run `recall doctor --fix`" : "each error above states what to do"};
}

}  // namespace recall
