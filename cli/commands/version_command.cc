#include "cli/commands/commands.h"
#include "cli/show/output/response.h"
#include "query/maintenance/build_info.h"

namespace recall {
namespace {

std::string Joined(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
  return joined;
}

std::string SqliteText(const SqliteUse& sqlite) {
  const std::string range = sqlite.oldest_tested + " to " + sqlite.newest_tested;
  return sqlite.version + (sqlite.tested
                               ? " (tested: " + range + ")"
                               : " (not tested, " + range +
                                     " are; only its public interface is used, which is slower)");
}

std::string SandboxText(const SandboxInfo& sandbox) {
  if (!sandbox.exists) return "none for this system; documents of other formats are read without";
  return std::string(sandbox.seccomp ? "seccomp" : "no seccomp") +
         (sandbox.landlock > 0 ? ", Landlock " + std::to_string(sandbox.landlock) : "") +
         (sandbox.seccomp ? "" : "; documents of other formats are not read");
}

std::string VersionText(const BuildInfo& build, const SqliteUse& sqlite, bool verbose) {
  std::string text = "recall " + build.version + "\n";
  if (!verbose) return text;
  text += "commit:        " + build.commit + "\n";
  text += "build type:    " + build.build_type + "\n";
  text += "compiler:      " + build.compiler + "\n";
  text += "store schema:  " + std::to_string(build.schema_version) + "\n";
  text += "SQLite:        " + SqliteText(sqlite) + "\n";
  text += "FTS5's tables: " +
          std::string(sqlite.fts == "native" ? "read and written by Recall" : "left to FTS5") +
          "\n";
  text += "zstd:          " + build.zstd_version + "\n";
  text += "sandbox:       " + SandboxText(UseOfSandbox()) + "\n";
  text += "grammars:      " + (build.grammars.empty() ? "none" : Joined(build.grammars)) + "\n";
  text += "lexicon:       " + build.lexicon + "\n";
  text += "SIMD targets:  " + Joined(build.simd_targets) + " (the first is used)\n";
  return text;
}

class VersionCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Switch("--verbose", &verbose_, "also print libraries, formats and SIMD targets");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const BuildInfo build = BuildInformation();
    RECALL_ASSIGN(const SqliteUse sqlite, UseOfSqlite());
    if (context.json()) {
      JsonResponse response;
      response.own_key = "version";
      response.own = [&](JsonWriter& json) {
        json.Field("program", build.version);
        json.Field("commit", build.commit);
        json.Field("build_type", build.build_type);
        json.Field("compiler", build.compiler);
        json.Field("store_schema", build.schema_version);
        json.Field("sqlite", sqlite.version);
        json.Field("sqlite_tested", sqlite.tested);
        json.Field("sqlite_range", std::vector{sqlite.oldest_tested, sqlite.newest_tested});
        json.Field("fts", sqlite.fts);
        json.Field("zstd", build.zstd_version);
        json.Field("simd_targets", build.simd_targets);
        json.Field("grammars", build.grammars);
        json.Field("lexicon", build.lexicon);
        const SandboxInfo sandbox = UseOfSandbox();
        json.Object("sandbox", [&] {
          json.Field("seccomp", sandbox.seccomp);
          json.Field("landlock", sandbox.landlock);
        });
      };
      context.Send(std::move(response));
    } else {
      context.out->Write(VersionText(build, sqlite, verbose_));
    }
    return ExitCode::kDone;
  }

 private:
  bool verbose_ = false;
};

}  // namespace

const CommandInfo kVersionCommand = {"version",
                                     "[OPTIONS]",
                                     "print the version; with --verbose also its components",
                                     "  recall version\n"
                                     "  recall version --verbose\n",
                                     "RECALL_SIMD=NAME selects one of the SIMD targets for any "
                                     "command, RECALL_FTS=native\n"
                                     "or sqlite who reads and writes FTS5's tables; answers do "
                                     "not depend on them.\n",
                                     [] { return std::unique_ptr<Command>(new VersionCommand); }};

}  // namespace recall
