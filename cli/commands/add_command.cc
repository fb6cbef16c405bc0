#include "cli/commands/commands.h"
#include "cli/output/response.h"
#include "cli/output/text_output.h"
#include "cli/progress.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

Json ReportJson(const AddReport& report, bool dry_run) {
  return {
      {"dry_run", dry_run},        {"found", report.found},         {"added", report.added},
      {"updated", report.updated}, {"refreshed", report.refreshed}, {"unchanged", report.unchanged},
      {"skipped", report.skipped}, {"failed", report.failed},       {"chunks", report.chunks},
      {"bytes", report.bytes},     {"cancelled", report.cancelled}};
}

// What kept the run from doing all it was asked to.
std::optional<Failure> FailureOf(const AddReport& report) {
  if (report.cancelled) {
    return Failure::FromStatus(Status::Cancelled("interrupted; what was added before stays",
                                                 "run the same command again to go on"));
  }
  if (report.failed > 0) {
    return Failure::FromStatus(Status::IoError(Plural(report.failed, "file") + " could not be read",
                                               "the warnings name them; the others were added"));
  }
  return std::nullopt;
}

class AddCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &request_.paths, 0, SIZE_MAX, "files and directories (default: .)");
    flags.TextList("--glob", &request_.globs, "PATTERN",
                   "only files that match, such as '*.md'; may be repeated");
    flags.TextList("--ignore", &request_.ignores, "PATTERN",
                   "no files or directories that match; may be repeated");
    flags.Text("--tag", &request_.tag, "TEXT", "a label for the documents");
    flags.Text("--source", &request_.source, "TEXT", "where the documents come from");
    flags.Choice("--parser", &parser_, {"auto", "plain", "markdown", "code"},
                 "how to cut text into chunks (default: auto, by extension)");
    flags.Switch("--extract-meta", &request_.extract_meta,
                 "keep the front matter of Markdown as metadata");
    flags.Switch("--mtime-only", &request_.mtime_only,
                 "trust an unchanged modification time and do not read the file");
    flags.Setting("--threads", "threads", "N", "worker threads (default: one per core)");
    flags.Switch("--dry-run", &request_.dry_run, "say what would happen and change nothing");
    flags.Switch("--no-ignore-files", &no_ignore_files_,
                 "do not honour .gitignore and .recallignore");
    flags.Size("--max-file-size", &request_.max_file_bytes, "skip larger files (default: 512MiB)");
  }

  Result<ExitCode> Run(Session& session) override {
    if (request_.paths.empty()) request_.paths = {"."};
    request_.parser = *ParserFromName(parser_);
    request_.ignore_files = !no_ignore_files_;
    request_.threads = static_cast<uint32_t>(session.config.threads);
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const AddReport report, Add(session));
    const int64_t micros = SteadyMicros() - start;

    const std::optional<Failure> failure = FailureOf(report);
    if (session.json()) {
      RECALL_TRY(SendJson(session, report, failure, micros));
    } else {
      session.PrintWarnings(report.warnings);
      if (!session.flags.quiet) {
        const auto shown = session.flags.stable ? std::nullopt : std::optional(micros);
        session.out->Write(FormatAddReport(report, request_.dry_run, shown) + "\n");
      }
      if (failure) PrintFailure(*failure, OutputMode::kText, session.error_style, {}, session.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Result<AddReport> Add(Session& session) {
    ProgressLine line(!session.flags.quiet);
    return session.database->Add(request_,
                                 [&](const AddProgress& progress) { line.Update(progress); });
  }

  Status SendJson(Session& session, const AddReport& report, const std::optional<Failure>& failure,
                  int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, session.database->Stats());
    JsonResponse response;
    // As published: total_hits counts the documents that were written.
    response.stats = StatsJson(report.added + report.updated, stats.store,
                               {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = report.warnings;
    response.own_key = "add";
    response.own = ReportJson(report, request_.dry_run);
    response.failure = failure;
    session.Send(std::move(response));
    return {};
  }

  AddRequest request_;
  std::string parser_ = "auto";
  bool no_ignore_files_ = false;
};

}  // namespace

const CommandInfo kAddCommand = {
    "add",
    "[OPTIONS] [PATH...]",
    "add files and directories, or bring them up to date",
    "  recall add                               everything under this directory\n"
    "  recall add docs src --ignore '*.min.js'\n"
    "  recall add . --glob '*.md' --tag notes --extract-meta\n"
    "  recall add . --dry-run                   what would be done\n",
    "Unchanged files cost a look and change nothing; edited files replace what was stored.\n"
    "Files that are not text, or too large, are skipped with a warning. A file that cannot be\n"
    "read does not stop the others, but the exit code is then 3. An interrupted run keeps what\n"
    "it had committed; run it again to go on.\n",
    [] { return std::unique_ptr<Command>(new AddCommand); }};

}  // namespace recall
