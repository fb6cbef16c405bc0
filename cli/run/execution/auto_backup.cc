#include "cli/run/execution/auto_backup.h"

#include <cstdio>

#include "cli/show/terminal/signals.h"
#include "query/database/database.h"

namespace recall {

Result<std::string> BackUpStore(const std::string& store_path, const Config& config) {
  const int64_t count = config.auto_backup;
  if (count == 0) return std::string();
  if (IsServerAddress(store_path)) {
    const auto origin = config.origins.find("auto_backup");
    const std::string source = origin == config.origins.end() ? "" : origin->second + ": ";
    return Fail(Status::InvalidArgument(
        source + "auto_backup keeps copies beside the file of a store, and this one is on a server",
        "run `recall backup FILE`, then this command with RECALL_AUTO_BACKUP=0"));
  }
  const auto copy = [&](int64_t number) {
    return store_path + ".backup-" + std::to_string(number);
  };
  BackupRequest request;
  request.path = store_path;
  request.to = copy(0);
  request.force = true;
  request.busy_timeout_ms = static_cast<int>(config.busy_timeout_ms);
  const InterruptFlag interrupted;
  RECALL_TRY(Database::Backup(request, {}, interrupted.get()));
  // From the oldest on. A copy that does not exist leaves a gap.
  for (int64_t number = count - 1; number >= 0; --number) {
    if (std::rename(copy(number).c_str(), copy(number + 1).c_str()) != 0 && number == 0) {
      return Fail(Status::IoError("cannot rename " + copy(0)));
    }
  }
  return copy(1);
}

Result<std::string> BackUpBefore(const CommandContext& context) {
  if (!context.backup.empty()) return context.backup;
  return BackUpStore(context.store_path, context.config);
}

}  // namespace recall
