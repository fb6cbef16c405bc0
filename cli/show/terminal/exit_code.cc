#include "cli/show/terminal/exit_code.h"

namespace recall {
namespace {

constexpr ExitCodeInfo kExitCodes[] = {
    {ExitCode::kDone, "success, also of a search without hits"},
    {ExitCode::kAbsent, "the requested object does not exist or differs (get, rm, get --verify)"},
    {ExitCode::kUsage, "the command line or a setting is wrong"},
    {ExitCode::kEnvironment, "no store, no permission, no space, or an unreadable file"},
    {ExitCode::kCorrupt, "the store is damaged, or has a format that this program does not know"},
    {ExitCode::kBusy, "another process holds the store; try again"},
    {ExitCode::kInterrupted, "interrupted"},
};

// The codes, in the order of ErrorCode.
constexpr ErrorCodeInfo kErrorCodes[] = {
    {ErrorCode::kNotFound, "not_found", ExitCode::kAbsent,
     "a document, chunk, path or snapshot does not exist"},
    {ErrorCode::kVerifyFailed, "verify_failed", ExitCode::kAbsent,
     "the source file differs from the stored text, or is missing"},
    {ErrorCode::kInvalidArgument, "invalid_argument", ExitCode::kUsage,
     "a flag, an argument, a query, a filter, a setting or an input line is wrong"},
    {ErrorCode::kLimitExceeded, "limit_exceeded", ExitCode::kUsage,
     "an input exceeds a limit: too long, too many, nested too deep, more than memory holds"},
    {ErrorCode::kStoreNotFound, "store_not_found", ExitCode::kEnvironment, "no store was found"},
    {ErrorCode::kAlreadyExists, "already_exists", ExitCode::kEnvironment,
     "the file to create already exists"},
    {ErrorCode::kIoError, "io_error", ExitCode::kEnvironment, "a file cannot be read or written"},
    {ErrorCode::kInternal, "internal", ExitCode::kEnvironment, "a defect of the program"},
    {ErrorCode::kCorruption, "corruption", ExitCode::kCorrupt,
     "the store is damaged, or the file is not a store"},
    {ErrorCode::kUnsupported, "unsupported", ExitCode::kCorrupt,
     "a format or a feature that this program does not know"},
    {ErrorCode::kBusy, "busy", ExitCode::kBusy, "another process holds the store; try again"},
    {ErrorCode::kCancelled, "cancelled", ExitCode::kInterrupted, "interrupted by a signal"},
    {ErrorCode::kSnapshotExpired, "snapshot_expired", ExitCode::kAbsent,
     "the snapshot was dropped by `recall compact` or a purge; run the command without it"},
    {ErrorCode::kCitationChanged, "citation_changed", ExitCode::kAbsent,
     "the document no longer has the text of an exact citation, and no snapshot has it"},
    {ErrorCode::kCitationGone, "citation_gone", ExitCode::kAbsent,
     "neither the document of an exact citation nor its text is in the store"},
    {ErrorCode::kExists, "exists", ExitCode::kAbsent, "a note with this id is in the store"},
    {ErrorCode::kNearDuplicate, "near_duplicate", ExitCode::kAbsent,
     "a document that says nearly the same is in the store (`save --unless-near`)"},
};

}  // namespace

std::span<const ExitCodeInfo> AllExitCodes() { return kExitCodes; }

std::span<const ErrorCodeInfo> AllErrorCodes() { return kErrorCodes; }

const ErrorCodeInfo& InfoOf(ErrorCode code) { return kErrorCodes[static_cast<size_t>(code)]; }

ErrorCode ErrorCodeFor(StatusCode code) {
  switch (code) {
    case StatusCode::kNotFound:
      return ErrorCode::kNotFound;
    case StatusCode::kAlreadyExists:
      return ErrorCode::kAlreadyExists;
    case StatusCode::kInvalidArgument:
      return ErrorCode::kInvalidArgument;
    case StatusCode::kCorruption:
      return ErrorCode::kCorruption;
    case StatusCode::kUnsupported:
      return ErrorCode::kUnsupported;
    case StatusCode::kIoError:
      return ErrorCode::kIoError;
    case StatusCode::kBusy:
      return ErrorCode::kBusy;
    case StatusCode::kLimitExceeded:
    case StatusCode::kNotEnoughMemory:
      return ErrorCode::kLimitExceeded;
    case StatusCode::kCancelled:
      return ErrorCode::kCancelled;
    case StatusCode::kExpired:
      return ErrorCode::kSnapshotExpired;
    case StatusCode::kStoreNotFound:
      return ErrorCode::kStoreNotFound;
    case StatusCode::kCitationChanged:
      return ErrorCode::kCitationChanged;
    case StatusCode::kCitationGone:
      return ErrorCode::kCitationGone;
    case StatusCode::kNoteExists:
      return ErrorCode::kExists;
    case StatusCode::kNearDuplicate:
      return ErrorCode::kNearDuplicate;
    case StatusCode::kOk:
    case StatusCode::kInternal:
      return ErrorCode::kInternal;
  }
  return ErrorCode::kInternal;
}

Failure Failure::FromStatus(const Status& status) {
  Failure failure{.code = ErrorCodeFor(status.code()),
                  .message = std::string(status.message()),
                  .hint = std::string(status.hint())};
  if (status.position() != nullptr) failure.position = *status.position();
  return failure;
}

std::string ExitCodeHelp() {
  std::string help;
  for (const ExitCodeInfo& info : AllExitCodes()) {
    const std::string number = std::to_string(static_cast<int>(info.code));
    help += "  " + number + std::string(5 - number.size(), ' ') + std::string(info.meaning) + "\n";
  }
  return help;
}

}  // namespace recall
