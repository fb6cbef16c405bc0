#include "cli/options/flags/global_flags.h"

namespace recall {

void DeclareGlobals(FlagSet& flags, GlobalFlags& globals) {
  flags.BeginGlobals();
  flags.Text("--store", &globals.store, "PATH",
             "the store or its directory, a name (setting stores), or an address");
  flags.Switch("--json", &globals.json, "print one JSON document, also for errors");
  flags.Choice("--color", &globals.color, {"auto", "always", "never"},
               "when to use colour (default: auto)");
  flags.Choice("--hyperlink", &globals.hyperlink, {"auto", "always", "never"},
               "when paths link to files (default: auto)");
  flags.Switch("--no-pager", &globals.no_pager, "print long answers without a pager");
  flags.Switch("--no-serve", &globals.no_serve, "do not let a running server answer");
  flags.Switch("--quiet", &globals.quiet, "no warnings, progress or summaries");
  flags.Switch("--stable", &globals.stable,
               "omit times, memory and file sizes: same query, same bytes");
  flags.Text("--config", &globals.config_file, "FILE", "read this file instead of any recall.toml");
  flags.Switch("-h,--help", &globals.help, "-h: short help; --help: complete help");
}

std::vector<FlagSet::Entry> GlobalEntries() {
  FlagSet flags;
  GlobalFlags globals;
  DeclareGlobals(flags, globals);
  return flags.entries();
}

}  // namespace recall
