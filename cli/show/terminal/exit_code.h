#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// The exit codes of the process. docs/cli/README.md contains the same table. Scripts depend on
// these numbers, so none is ever changed or reused.
enum class ExitCode : int {
  kDone = 0,         // even if a search has no hits
  kAbsent = 1,       // a requested object does not exist, or differs from what was expected
  kUsage = 2,        // the command line or a setting is wrong
  kEnvironment = 3,  // no store, no permission, no space, unreadable files
  kCorrupt = 4,      // the store is damaged, or has an unknown format
  kBusy = 5,         // another process is using the store; trying again may succeed
  kInterrupted = 130,
};

struct ExitCodeInfo {
  ExitCode code;
  std::string_view meaning;
};
std::span<const ExitCodeInfo> AllExitCodes();

// The possible values of `error.code`: every StatusCode except kOk, and further codes of the
// command line.
enum class ErrorCode {
  kNotFound,
  kVerifyFailed,
  kInvalidArgument,
  kLimitExceeded,
  kStoreNotFound,
  kAlreadyExists,
  kIoError,
  kInternal,
  kCorruption,
  kUnsupported,
  kBusy,
  kCancelled,
  kSnapshotExpired,
  kCitationChanged,
  kCitationGone,
  kExists,
  kNearDuplicate,
};

struct ErrorCodeInfo {
  ErrorCode code;
  std::string_view name;  // the name in JSON; docs/json.md contains the same table
  ExitCode exit;
  std::string_view meaning;
};
std::span<const ErrorCodeInfo> AllErrorCodes();
const ErrorCodeInfo& InfoOf(ErrorCode code);

// Returns: the error code of a status. Requires: `code` is not kOk.
ErrorCode ErrorCodeFor(StatusCode code);

// An error to be reported to the user.
struct Failure {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string hint{};
  std::optional<TextPosition> position{};

  // Requires: `status` is not OK.
  static Failure FromStatus(const Status& status);

  ExitCode exit() const { return InfoOf(code).exit; }
};

// Returns: the table of exit codes for `recall --help`, one line each.
std::string ExitCodeHelp();

}  // namespace recall
