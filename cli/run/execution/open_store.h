#pragma once

#include <string>

#include "cli/options/settings/store_locator.h"
#include "cli/run/command/command.h"

namespace recall {

// How a command opens the store, apart from what it does while it waits. Errors of opening are
// those of Database::Open.
OpenOptions OpenOptionsFor(StoreAccess access, const StoreLocation& location, const Config& config);

// Has the copy that is made before the format of the store changes recorded in the context, with a
// warning. The context must outlive the database that is opened.
void RecordCopies(CommandContext& context, OpenOptions* options);

// Adds what users must know of the server of the store to the warnings of the context. Returns:
// whether there is something.
bool AddServerWarning(Database& database, CommandContext& context);

// The error of a command as it is reported, with the hint that is the same for all commands.
Failure FailureToReport(const Status& status);

// Prints the error of a command for the process that runs it, or asked for it. `guessed`: the mode
// that the words of the command line name, kText if they name none; the flags may not be parsed.
// Returns: the exit code.
ExitCode ReportFailure(CommandContext& context, const Status& status, OutputMode guessed);

}  // namespace recall
