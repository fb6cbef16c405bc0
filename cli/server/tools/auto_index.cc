#include "cli/server/tools/auto_index.h"

#include "cli/server/mcp/json_rpc.h"
#include "storage/base/clock.h"

namespace recall {

std::optional<CommandOutput> AutoIndex::Update(CommandRunner& runner) {
  const std::lock_guard lock(mutex_);
  if (updated_micros_ && SteadyMicros() - *updated_micros_ < refresh_micros_) return std::nullopt;
  const std::vector<std::string> add = {"--json", "--sync", "--mtime-only", "--", directory_};
  CommandOutput added = runner.Run("add", add);
  const Json answer = Json::parse(added.text, nullptr, false);
  if (JsonText(JsonMember(answer, "error"), "code") == "store_not_found") {
    CommandOutput made = runner.Run("init", {"--json", "--", directory_});
    if (!made.ok()) return made;
    added = runner.Run("add", add);
  }
  if (!added.ok()) return added;
  updated_micros_ = SteadyMicros();
  return std::nullopt;
}

}  // namespace recall
