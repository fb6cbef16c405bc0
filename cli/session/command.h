#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/flags/flags.h"
#include "cli/session/session.h"
#include "cli/settings/config.h"
#include "storage/base/result.h"

namespace recall {

// kPath: the store is found and the settings are settled, but it is not opened: for commands that
// work on what Database::Open may refuse.
enum class StoreAccess { kNone, kPath, kRead, kWrite };

// One verb. The app declares its flags, parses them, lets it check them, opens the store it needs,
// and runs it once.
class Command {
 public:
  virtual ~Command() = default;

  virtual StoreAccess access() const { return StoreAccess::kRead; }
  // Whether settings that contradict what the store was made with are an error.
  virtual bool HoldsToStore() const { return true; }
  virtual void Declare(FlagSet& flags, GlobalFlags& globals) = 0;
  // Flags that do not fit each other or the settings, before any store is touched.
  virtual Status Check(const GlobalFlags&) { return {}; }
  // Returns: the exit code after the answer was printed, or why there is no answer.
  virtual Result<ExitCode> Run(Session& session) = 0;
};

// A verb as help and the app's table know it.
struct CommandInfo {
  std::string_view name;
  std::string_view arguments;  // "[OPTIONS] QUERY..."
  std::string_view summary;    // one line
  std::string_view examples;   // command lines, each with its newline
  std::string_view details;    // for --help; paragraphs
  std::unique_ptr<Command> (*make)();
};

}  // namespace recall
