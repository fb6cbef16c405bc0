#include "cli/commands/commands.h"
#include "cli/commands/report_failures.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/signals.h"

namespace recall {
namespace {

void WriteFields(const DoctorFinding& finding, JsonWriter& json) {
  json.Field("code", finding.code);
  json.Field("severity", finding.severity);
  json.Field("meaning", finding.meaning);
  json.Field("count", finding.count);
  json.Field("fixable", finding.fixable);
  json.Field("fixed", finding.fixed);
  json.FieldOrNull("obstacle", finding.obstacle);
  json.FieldOrNull("advice", finding.advice);
  json.Objects("examples", finding.examples, [&](const DoctorFinding::Example& example) {
    json.Field("where", example.where);
    json.Field("what", example.what);
  });
}

void WriteFields(const DoctorReport& report, const std::string& path, JsonWriter& json) {
  json.Field("store", path);
  json.Field("errors", report.errors);
  json.Field("warnings", report.warnings);
  json.Field("notes", report.notes);
  json.Field("fixed", report.fixed);
  json.FieldOrNull("kept_copy", report.kept_copy);
  json.FieldOrNull("kept_wal", report.kept_wal);
  json.Field("retrained", report.retrained);
  json.Objects("findings", report.findings,
               [&](const DoctorFinding& finding) { WriteFields(finding, json); });
  json.Field("format_version", report.format_version);
  json.Field("page_size", report.page_size);
  json.Field("pages", report.pages);
  json.Field("free_pages", report.free_pages);
  json.Field("wal_bytes", report.wal_bytes);
  json.Field("docs", report.docs);
  json.Field("removed_docs", report.removed_docs);
  json.Field("chunks", report.chunks);
  json.Field("removed_chunks", report.removed_chunks);
  json.Field("segments", report.segments);
}

std::string FindingText(const DoctorFinding& finding) {
  std::string text = (finding.fixed ? "fixed" : finding.severity) + ": " + finding.code + ": " +
                     finding.meaning +
                     (finding.count > 1 ? " (" + std::to_string(finding.count) + ")" : "") + "\n";
  for (const auto& example : finding.examples) {
    text += "  " + EscapeLine(example.where) + ": " + EscapeLine(example.what) + "\n";
  }
  if (finding.fixed) return text;
  if (finding.fixable) text += "  -> recall doctor --fix repairs it\n";
  if (!finding.obstacle.empty()) text += "  -> not repaired: " + finding.obstacle + "\n";
  if (!finding.advice.empty()) text += "  -> " + finding.advice + "\n";
  return text;
}

std::string SummaryText(const DoctorReport& report) {
  std::string text = "checked " + Plural(report.docs, "document") + ", " +
                     Plural(report.chunks, "chunk") + ", " + Plural(report.segments, "segment") +
                     ": ";
  if (report.errors + report.warnings + report.notes + report.fixed == 0) {
    return text + "no faults\n";
  }
  const std::pair<int64_t, const char*> counts[] = {
      {report.errors, "error"}, {report.warnings, "warning"}, {report.notes, "note"}};
  const char* separator = "";
  for (const auto& [count, noun] : counts) {
    if (count == 0) continue;
    text += separator + Plural(count, noun);
    separator = ", ";
  }
  if (report.fixed > 0) text += separator + std::to_string(report.fixed) + " fixed";
  return text + "\n";
}

class DoctorCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Switch("--fix", &request_.fix, "rebuild damaged derived data");
    flags.Switch("--no-copy", &no_copy_, "with --fix: do not keep a copy of the store as it was");
    flags.Switch("--accept-pages", &request_.accept_pages,
                 "with --fix: accept pages that another program changed");
    flags.Choice("--progress", &progress_, {"auto", "json"},
                 "json: progress as JSON on standard error, for programs");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    if (!request_.fix && (no_copy_ || request_.accept_pages)) {
      return Fail(Status::InvalidArgument((no_copy_ ? "--no-copy" : "--accept-pages") +
                                              std::string(" has an effect only with --fix"),
                                          "add --fix"));
    }
    request_.keep_copy = !no_copy_;
    if (request_.fix && !no_copy_ && IsServerAddress(context.store_path)) {
      return Fail(Status::InvalidArgument(
          "--fix keeps a copy beside the file of a store, and this one is on a server",
          "run `recall backup FILE`, then `recall doctor --fix --no-copy`"));
    }
    request_.path = context.store_path;
    request_.busy_timeout_ms = context.busy_timeout_ms();
    request_.on_long_wait = [&context] { context.ShowWait(); };
    RECALL_ASSIGN(const DoctorReport report, Examine(context));
    const std::optional<Failure> failure = FailureOfDoctor(report);
    if (context.json()) {
      JsonResponse response;
      response.own_key = "doctor";
      response.own = [&](JsonWriter& json) { WriteFields(report, context.store_path, json); };
      response.failure = failure;
      context.Send(std::move(response));
    } else {
      PrintText(context, report, failure);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Result<DoctorReport> Examine(CommandContext& context) const {
    const InterruptFlag interrupted;
    const bool json = progress_ == "json";
    ProgressLine line(!context.flags.quiet && !json);
    ProgressJson lines(json);
    auto report = Database::Doctor(
        request_,
        [&](const DoctorProgress& progress) {
          line.Update(progress);
          lines.Update(progress);
        },
        context.cancelled != nullptr ? context.cancelled : interrupted.get());
    if (report) lines.Finish();
    return report;
  }

  static void PrintText(CommandContext& context, const DoctorReport& report,
                        const std::optional<Failure>& failure) {
    context.PrintWarnings();
    for (const DoctorFinding& finding : report.findings) {
      context.out->Write(FindingText(finding));
    }
    if (report.retrained) {
      context.out->Write("trained the model again: rankings may differ from before the damage\n");
    }
    if (!report.kept_copy.empty()) {
      context.out->Write("kept the store as it was: " + EscapeLine(report.kept_copy) +
                         (report.kept_wal.empty() ? "" : " and " + EscapeLine(report.kept_wal)) +
                         "\n");
    }
    if (!context.flags.quiet) context.out->Write(SummaryText(report));
    if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
  }

  DoctorRequest request_;
  bool no_copy_ = false;
  std::string progress_ = "auto";
};

}  // namespace

const CommandInfo kDoctorCommand = {
    "doctor",
    "[OPTIONS]",
    "check the store, and repair derived data",
    "  recall doctor\n"
    "  recall doctor --fix\n"
    "  recall doctor --json | jq '.doctor.findings[].code'\n",
    "Reads the whole file: checks SQLite's pages, compares each text with its hash, and compares\n"
    "all derived data (words, vectors, sign codes, counts) with what the texts give. The exit\n"
    "code is 4 if errors remain.\n"
    "\n"
    "--fix corrects single wrong bits, which the checksums of the pages locate, and rebuilds\n"
    "derived data. It changes no document, chunk or text otherwise, and snapshots from before\n"
    "the rebuilding expire. It first copies the store to recall.db.before-fix; remove that file\n"
    "when you no longer need it. Other processes may read and write meanwhile; writers wait\n"
    "while --fix writes.\n"
    "\n"
    "A page that does not match its checksum stays marked as damaged until all of it is\n"
    "known to be right. If another program changed it on purpose, use --accept-pages.\n",
    [] { return std::unique_ptr<Command>(new DoctorCommand); }};

}  // namespace recall
