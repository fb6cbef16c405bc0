#include "cli/exit_code.h"

namespace recall {

ExitCode ExitCodeFor(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return ExitCode::kDone;
    case StatusCode::kNotFound:
      return ExitCode::kAbsent;
    case StatusCode::kInvalidArgument:
    case StatusCode::kLimitExceeded:
      return ExitCode::kUsage;
    case StatusCode::kAlreadyExists:
    case StatusCode::kIoError:
    case StatusCode::kInternal:
      return ExitCode::kEnvironment;
    case StatusCode::kCorruption:
    case StatusCode::kUnsupported:
      return ExitCode::kCorrupt;
    case StatusCode::kBusy:
      return ExitCode::kBusy;
    case StatusCode::kCancelled:
      return ExitCode::kInterrupted;
  }
  return ExitCode::kEnvironment;
}

Failure Failure::FromStatus(const Status& status) {
  return {ExitCodeFor(status.code()), std::string(StatusCodeName(status.code())),
          std::string(status.message()), std::string(status.hint())};
}

std::string_view ExitCodeHelp() {
  return "  0    done (a search without hits is done, too)\n"
         "  1    what was asked for is not there, or differs (get, rm, get --verify)\n"
         "  2    the command line or a setting is wrong\n"
         "  3    no store, no permission, no space, a file that cannot be read\n"
         "  4    the store is damaged, or of a format this program does not know\n"
         "  5    another process holds the store; try again\n"
         "  130  interrupted\n";
}

}  // namespace recall
