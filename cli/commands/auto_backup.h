#pragma once

#include <string>

#include "cli/run/command/command_context.h"
#include "storage/base/result.h"

namespace recall {

// Copies the store of the session beside itself, if the setting `auto_backup` says so: to
// PATH.backup-1, which becomes PATH.backup-2 before the next copy, and so on up to the number of
// the setting. Call it before all of the store is changed. Returns: the path of the copy; "" if
// none is to be made. Errors: those of Database::Backup; the copies are as before then.
Result<std::string> BackUpBefore(const CommandContext& context);

}  // namespace recall
