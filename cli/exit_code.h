#pragma once

#include <optional>
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

// A failure on its way to the user. `code` is the JSON spelling: a StatusCodeName, or one of
// "store_not_found", "verify_failed".
struct Failure {
  ExitCode exit = ExitCode::kEnvironment;
  std::string code;
  std::string message;
  std::string hint;

  static Failure FromStatus(const Status& status);
};

ExitCode ExitCodeFor(StatusCode code);

// The table as `recall --help` prints it, one line each.
std::string_view ExitCodeHelp();

}  // namespace recall
