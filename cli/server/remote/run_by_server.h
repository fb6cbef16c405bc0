#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/options/settings/store_locator.h"
#include "cli/run/command/command.h"

namespace recall {

// A parsed and checked command line.
struct RemoteQuestion {
  std::string_view command;
  StoreAccess access;
  const FlagSet& flags;
  OutputMode error_mode;  // as in ReportFailure
};

// Lets the server of the store, if there is one, run the command, and prints what it answers: the
// same bytes that this process would print. `context` has the settings and styles, and its paths.
// Returns: the exit code; nullopt if this process must run the command itself, and nothing was
// printed. Errors: InvalidArgument for a wrong value of RECALL_SERVE; IoError, with the reason, if
// it is `always` and no server answers; Cancelled after an interrupt.
Result<std::optional<ExitCode>> RunByServer(const RemoteQuestion& question,
                                            const StoreLocation& store, CommandContext& context);

}  // namespace recall
