#pragma once

#include <string>

#include "cli/run/command/command_context.h"
#include "storage/base/result.h"

namespace recall {

// Copies a store beside itself, if the setting `auto_backup` says so: to PATH.backup-1, which
// becomes PATH.backup-2 before the next copy, and so on up to the number of the setting. Call it
// before all of the store is changed. Returns: the path of the copy; "" if none is to be made.
// Errors: those of Database::Backup; the copies are as before then.
Result<std::string> BackUpStore(const std::string& store_path, const Config& config);

// As above, for the store of a command. If it was copied when it was opened, because its format
// changed, that is the copy.
Result<std::string> BackUpBefore(const CommandContext& context);

}  // namespace recall
