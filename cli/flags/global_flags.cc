#include "cli/flags/global_flags.h"

namespace recall {

void DeclareGlobals(FlagSet& flags, GlobalFlags& globals) {
  flags.BeginGlobals();
  flags.Text("--store", &globals.store, "PATH", "the store, or the directory it lies in");
  flags.Switch("--json", &globals.json, "answer with one JSON document, errors as well");
  flags.Choice("--color", &globals.color, {"auto", "always", "never"},
               "when to use colour (default: auto)");
  flags.Switch("--quiet", &globals.quiet, "no warnings, progress or summaries");
  flags.Switch("--stable", &globals.stable,
               "leave out times, memory and file sizes: same question, same bytes");
  flags.Text("--config", &globals.config_file, "FILE", "read this file instead of any recall.toml");
  flags.Switch("-h,--help", &globals.help, "-h is short, --help is complete");
}

std::vector<FlagSet::Entry> GlobalEntries() {
  FlagSet flags;
  GlobalFlags globals;
  DeclareGlobals(flags, globals);
  return flags.entries();
}

}  // namespace recall
