#include <algorithm>

#include "cli/commands/add_flags.h"
#include "cli/commands/commands.h"
#include "cli/commands/report_failures.h"
#include "cli/setup/install/git_hooks.h"
#include "cli/show/output/add_json.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteFields(const AddReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  WriteFields(report, json);
}

// The warnings of the report, and a sentence about each skipped document.
std::vector<std::string> AllWarnings(const AddReport& report) {
  std::vector<std::string> warnings = report.warnings;
  for (const AddSkip& skip : report.skips) warnings.push_back(skip.text);
  const int64_t more = report.skipped - static_cast<int64_t>(report.skips.size());
  if (more > 0) warnings.push_back("skip " + std::to_string(more) + " more, which are not listed");
  return warnings;
}

constexpr std::string_view kNoProgram =
    "no text is extracted from PDF, HTML, office documents and mail, because the path of the "
    "program `recall` is not known";

// Types that notes usually have. Other programs save a note by `add TYPE TITLE`.
constexpr std::string_view kNoteTypes[] = {
    "bug",     "config",     "decision",     "lesson",    "meta-working", "note",    "pattern",
    "pitfall", "preference", "project-fact", "reference", "snippet",      "workflow"};

// Says how a note is saved, if the paths look like its type and its title.
Status WithNoteHint(Status status, const std::vector<std::string>& paths) {
  const bool is_note = status.code() == StatusCode::kNotFound && paths.size() > 1 &&
                       std::ranges::find(kNoteTypes, paths[0]) != std::end(kNoteTypes) &&
                       status.message().ends_with(": " + paths[0]);
  if (!is_note) return status;
  std::string title = paths[1];
  for (size_t i = 2; i < paths.size(); ++i) title += " " + paths[i];
  return Status::NotFound(
      std::string(status.message()),
      "nothing was added; to save a note: recall save " + paths[0] + " " + QuotedForShell(title));
}

class AddCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &request_.paths, 0, SIZE_MAX, "files and directories (default: .)");
    flags.Text("--files-from", &files_from_, "FILE",
               "also the paths listed in FILE, one per line; - is standard input");
    flags.Switch("--null", &request_.null_names,
                 "NUL ends the paths in that FILE (git ls-files -z)");
    flags.Text("--jsonl", &jsonl_, "FILE",
               "add documents without files: a JSON object per line, with path and text");
    file_flags_.DeclareDocuments(flags, &request_);
    flags.Switch("--sync", &request_.sync, "remove documents whose files no longer exist");
    flags.Switch("--known", &known_, "only bring up to date what the store has of PATH");
    flags.Switch("--dry-run", &request_.dry_run, "report the changes without making them");
    flags.Number("--max-errors", &request_.max_errors, 1, INT32_MAX,
                 "stop when N files or lines have failed (default: never)");
    flags.Number("--max-skipped", &max_skipped_, 0, INT32_MAX,
                 "fail in the end if more than N files or lines were skipped");
    flags.Choice("--progress", &progress_, {"auto", "json"},
                 "json: progress as JSON on standard error, for programs");
    DeclareSecrets(flags);
    flags.Switch("--verbose", &verbose_, "name each skipped file");
    file_flags_.DeclareFiles(flags, &request_);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (context.lines) {
      jsonl_ = "lines";
      request_.lines = context.lines;
    }
    RECALL_TRY(SettleSources());
    file_flags_.Apply(context.config, context.program, &request_);
    if (known_) RECALL_TRY(CheckKnown());
    if (context.program.empty() && !jsonl_ && !file_flags_.no_extract()) {
      context.warnings.emplace_back(kNoProgram);
    }
    const int64_t start = SteadyMicros();
    const Result<AddReport> added = Add(context);
    if (!added) return Fail(WithNoteHint(added.error(), request_.paths));
    const AddReport& report = *added;
    const int64_t micros = SteadyMicros() - start;

    const std::optional<Failure> failure =
        context.lines ? FailureOfGivenLines(report, max_skipped_)
                      : FailureOfAdd(report, jsonl_.has_value(), max_skipped_);
    if (context.json()) {
      RECALL_TRY(SendJson(context, report, failure, micros));
    } else {
      context.PrintWarnings(verbose_ ? AllWarnings(report) : ShortWarnings(report), verbose_);
      if (!context.flags.quiet) {
        const auto shown = context.flags.stable ? std::nullopt : std::optional(micros);
        context.out->Write(
            FormatAddReport(report, request_.dry_run, shown, jsonl_ ? "document" : "file") + "\n");
        // It explains a result that is smaller than expected.
        if (report.left_out.Total() > report.Total()) {
          context.out->Write(FormatLeftOut(report.left_out) + "\n");
        }
      }
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Status SettleSources() {
    RECALL_TRY(TakeFile("--files-from", files_from_, &request_.files_from));
    RECALL_TRY(TakeFile("--jsonl", jsonl_, &request_.jsonl));
    if (request_.null_names && !files_from_) {
      return Status::InvalidArgument("--null needs --files-from", "add --files-from FILE");
    }
    if (jsonl_) return CheckLines();
    if (request_.paths.empty() && !files_from_) request_.paths = {"."};
    return {};
  }

  std::vector<std::string> ShortWarnings(const AddReport& report) const {
    std::vector<std::string> warnings = report.warnings;
    for (std::string& skip : SummarizeSkips(report, jsonl_ ? "line" : "file")) {
      warnings.push_back(std::move(skip));
    }
    return warnings;
  }

  static Status TakeFile(const std::string& flag, const std::optional<std::string>& given,
                         std::string* name) {
    *name = given.value_or("");
    if (!given || !given->empty()) return {};
    return Status::InvalidArgument(flag + " needs a file name", "- is standard input");
  }

  // Rejects flags that apply only to files and would have no effect.
  Status CheckLines() const {
    const std::pair<const char*, bool> of_files[] = {
        {"a PATH", !request_.paths.empty()},
        {"--files-from", files_from_.has_value()},
        {"--glob", !request_.globs.empty()},
        {"--ignore", !request_.ignores.empty()},
        {"--root", request_.root.has_value()},
        {"--as", request_.prefix.has_value()},
        {"--no-ignore-files", file_flags_.no_ignore_files()},
        {"--hidden", request_.hidden},
        {"--mtime-only", request_.mtime_only},
        {"--archives", request_.archives},
        {"--sync", request_.sync}};
    for (const auto& [name, given] : of_files) {
      if (!given) continue;
      return Status::InvalidArgument("--jsonl and " + std::string(name) + " cannot be combined",
                                     "add files and lines with two commands");
    }
    return {};
  }

  // Rejects flags that would say how documents are added: that is known of each.
  Status CheckKnown() const {
    const std::pair<const char*, bool> of_documents[] = {
        {"--files-from", files_from_.has_value()},
        {"--jsonl", jsonl_.has_value()},
        {"--glob", !request_.globs.empty()},
        {"--ignore", !request_.ignores.empty()},
        {"--tag", request_.tag.has_value()},
        {"--source", request_.source.has_value()},
        {"--root", request_.root.has_value()},
        {"--as", request_.prefix.has_value()},
        {"--parser", request_.parser != Parser::kAuto},
        {"--extract-meta", request_.extract_meta},
        {"--rechunk", request_.rechunk},
        {"--reextract", request_.extract.reextract},
        {"--retry-failed", request_.extract.retry_failed},
        {"--archives", request_.archives},
        {"--sync", request_.sync}};
    for (const auto& [name, given] : of_documents) {
      if (!given) continue;
      return Status::InvalidArgument("--known and " + std::string(name) + " cannot be combined",
                                     "run add without --known first");
    }
    return {};
  }

  // Brings the documents of files below the paths up to date.
  Result<AddReport> AddKnown(CommandContext& context) const {
    RefreshRequest refresh;
    refresh.like = request_;
    refresh.like.paths.clear();
    refresh.below = request_.paths;
    refresh.check.on = true;
    refresh.check.secrets = context.config.secret_settings;
    return context.database->Refresh(refresh);
  }

  Result<AddReport> Add(CommandContext& context) {
    if (known_) return AddKnown(context);
    const bool json = progress_ == "json";
    ProgressLine line(!context.flags.quiet && !json, jsonl_ ? "documents" : "files");
    ProgressJson lines(json);
    return context.database->Add(request_, [&](const AddProgress& progress) {
      line.Update(progress);
      lines.Update(progress);
      if (context.on_progress) context.on_progress(progress);
    });
  }

  Status SendJson(CommandContext& context, const AddReport& report,
                  const std::optional<Failure>& failure, int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    // As in recall 0.1, total_hits counts the documents that were written.
    response.stats = StatsFields(report.added + report.updated, stats.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = AllWarnings(report);
    response.own_key = "add";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    response.failure = failure;
    context.Send(std::move(response));
    return {};
  }

  AddRequest request_;
  AddFlags file_flags_;
  std::optional<std::string> files_from_;
  std::optional<std::string> jsonl_;
  std::optional<int64_t> max_skipped_;
  std::string progress_ = "auto";
  bool verbose_ = false;
  bool known_ = false;
};

}  // namespace

const CommandInfo kAddCommand = {
    "add",
    "[OPTIONS] [PATH...]",
    "add files and directories, or update them",
    "  recall add                               everything under this directory\n"
    "  recall add docs src --ignore '*.min.js' --tag notes --extract-meta\n",
    "Unchanged files change nothing; edited files replace the stored version. Files that are not\n"
    "text or too large are skipped with a warning. A file that cannot be read does not stop the\n"
    "others, but the exit code is then 3; for an invalid line of --jsonl it is 2. An interrupted\n"
    "run keeps its committed documents; run it again to continue.\n"
    "Archives named on the command line (.tar, .tar.gz, .tar.xz, ..., .zip) are opened.\n"
    "--sync removes only documents whose files this run would have found, and none if a target\n"
    "cannot be read.\n"
    "--known adds changed files again, removes documents of deleted ones, and adds new files that\n"
    "are of a kind with others there, all as they were added before.\n",
    [] { return std::unique_ptr<Command>(new AddCommand); }};

}  // namespace recall
