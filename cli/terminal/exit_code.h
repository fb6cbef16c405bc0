#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/status.h"

namespace recall {

// What the process says to its caller. docs/cli.md has the same table; scripts branch on these
// numbers, so none is ever changed or reused.
enum class ExitCode : int {
  kDone = 0,         // also when a search finds nothing
  kAbsent = 1,       // the thing asked for is not there, or is not what was expected
  kUsage = 2,        // the command line or a setting is wrong
  kEnvironment = 3,  // no store, no permission, no space, unreadable files
  kCorrupt = 4,      // the store is damaged, or of a format this program does not know
  kBusy = 5,         // another process holds the store; trying again may succeed
  kInterrupted = 130,
};

struct ExitCodeInfo {
  ExitCode code;
  std::string_view meaning;
};
std::span<const ExitCodeInfo> AllExitCodes();

// The closed list of what `error.code` can be. Every StatusCode but kOk, and what the command line
// tells apart beyond those.
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
};

struct ErrorCodeInfo {
  ErrorCode code;
  std::string_view name;  // the JSON spelling; docs/json.md has the same table
  ExitCode exit;
  std::string_view meaning;
};
std::span<const ErrorCodeInfo> AllErrorCodes();
const ErrorCodeInfo& InfoOf(ErrorCode code);

// Requires: not kOk.
ErrorCode ErrorCodeFor(StatusCode code);

// A failure on its way to the user.
struct Failure {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string hint{};
  std::optional<TextPosition> position{};

  // Requires: not OK.
  static Failure FromStatus(const Status& status);

  ExitCode exit() const { return InfoOf(code).exit; }
};

// The table as `recall --help` prints it, one line each.
std::string ExitCodeHelp();

}  // namespace recall
