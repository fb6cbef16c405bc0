#include "cli/commands/commands.h"
#include "cli/output/progress.h"
#include "cli/output/response.h"
#include "cli/output/text_output.h"
#include "cli/terminal/signals.h"

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

// The exit code reports damage that was not repaired.
std::optional<Failure> FailureOf(const DoctorReport& report) {
  if (report.errors == 0) return std::nullopt;
  bool fixable = false;
  for (const DoctorFinding& finding : report.findings) fixable |= finding.fixable && !finding.fixed;
  return Failure{.code = ErrorCode::kCorruption,
                 .message = "the store is damaged: " + Plural(report.errors, "kind") + " of error",
                 .hint = fixable ? "run `recall doctor --fix`; make a copy of the store first"
                                 : "each error above states what to do"};
}

class DoctorCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Switch("--fix", &request_.fix, "rebuild damaged derived data");
  }

  Result<ExitCode> Run(Session& session) override {
    request_.path = session.store_path;
    request_.busy_timeout_ms = session.busy_timeout_ms();
    request_.on_long_wait = [&session] { session.ShowWait(); };
    RECALL_ASSIGN(const DoctorReport report, Examine(session));
    const std::optional<Failure> failure = FailureOf(report);
    if (session.json()) {
      JsonResponse response;
      response.own_key = "doctor";
      response.own = [&](JsonWriter& json) { WriteFields(report, session.store_path, json); };
      response.failure = failure;
      session.Send(std::move(response));
    } else {
      PrintText(session, report, failure);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Result<DoctorReport> Examine(Session& session) const {
    const InterruptFlag interrupted;
    ProgressLine line(!session.flags.quiet);
    return Database::Doctor(
        request_, [&](std::string_view doing) { line.Say(doing); }, interrupted.get());
  }

  static void PrintText(Session& session, const DoctorReport& report,
                        const std::optional<Failure>& failure) {
    session.PrintWarnings();
    for (const DoctorFinding& finding : report.findings) {
      session.out->Write(FindingText(finding));
    }
    if (!session.flags.quiet) session.out->Write(SummaryText(report));
    if (failure) PrintFailure(*failure, OutputMode::kText, session.error_style, {}, session.out);
  }

  DoctorRequest request_;
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
    "code is 4 if errors remain. --fix rebuilds derived data. It never changes documents, chunks\n"
    "and texts, and snapshots from before the repair expire. Other processes may read and write\n"
    "meanwhile; writers wait while --fix writes.\n",
    [] { return std::unique_ptr<Command>(new DoctorCommand); }};

}  // namespace recall
