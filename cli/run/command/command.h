#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/options/flags/flags.h"
#include "cli/options/settings/config.h"
#include "cli/run/command/command_context.h"
#include "storage/base/result.h"

namespace recall {

// How a command accesses the store. kPath: the store is located and the settings are resolved, but
// it is not opened, for commands that must work on stores that Database::Open refuses.
enum class StoreAccess { kNone, kPath, kRead, kWrite };

// A command. The app declares its flags, parses them, calls Check, opens the store if needed, and
// calls Run once.
class Command {
 public:
  virtual ~Command() = default;

  virtual StoreAccess access() const { return StoreAccess::kRead; }
  // True if settings that contradict those recorded in the store are an error.
  virtual bool HoldsToStore() const { return true; }
  virtual void Declare(FlagSet& flags, GlobalFlags& globals) = 0;
  // Checks flags against each other and against the settings, before any store is opened.
  virtual Status Check(const GlobalFlags&) { return {}; }
  // Whether an error ends the command with exit code 0 and no output, because the calling program
  // must go on. Called for every error, including those of the command line.
  virtual bool Forgives(const Status&) const { return false; }
  // Prints the answer. Returns: the exit code, or the error if there is no answer.
  virtual Result<ExitCode> Run(CommandContext& context) = 0;
};

// The description of a command for help and for the table of commands.
struct CommandInfo {
  std::string_view name;
  std::string_view arguments;  // "[OPTIONS] QUERY..."
  std::string_view summary;    // one line
  std::string_view examples;   // command lines, each with its newline
  std::string_view details;    // for --help; paragraphs
  std::unique_ptr<Command> (*make)();
};

}  // namespace recall
