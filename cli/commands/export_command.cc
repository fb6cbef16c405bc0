#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/output/progress.h"
#include "cli/output/response.h"
#include "cli/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

class ExportCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Text("--out", &out_, "FILE",
               "write to this file (.zst compresses) instead of standard output");
    flags.Choice("--format", &format_, {"recall", "published"},
                 "published: the format of recall 0.1 (default: recall)");
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
  }

  Status Check(const GlobalFlags& globals) override {
    RECALL_TRY(scope_.Read());
    request_.scope = scope_.scope();
    request_.layout = format_ == "published" ? ExportLayout::kPublished : ExportLayout::kRecall;
    if (out_ && *out_ != "-") request_.out_path = *out_;
    if (out_ && out_->empty()) return Status::InvalidArgument("--out needs a file name");
    if (!globals.json || !request_.out_path.empty()) return {};
    return Status::InvalidArgument("--json needs --out FILE",
                                   "standard output cannot hold both the lines and the answer");
  }

  Result<ExitCode> Run(Session& session) override {
    const int64_t start = SteadyMicros();
    Result<ExportReport> report = Export(session);
    // The reader closed the pipe, as in `recall export | head -1`: end without an error.
    if (!report && session.out->broken()) return ExitCode::kDone;
    if (!report) return Fail(report.error());
    const int64_t micros = SteadyMicros() - start;
    if (session.json()) {
      SendJson(session, *report, micros);
      return ExitCode::kDone;
    }
    session.PrintWarnings(report->warnings);
    if (!request_.out_path.empty() && !session.flags.quiet) {
      const bool timed = !session.flags.stable;
      session.out->Write("Exported " + Plural(report->docs, "document") + ", " +
                         Plural(report->chunks, "chunk") + " (" + FormatBytes(report->bytes) +
                         ") to " + EscapeLine(request_.out_path) +
                         (timed ? " in " + FormatSeconds(micros) : "") + "\n");
    }
    return ExitCode::kDone;
  }

 private:
  Result<ExportReport> Export(Session& session) const {
    ProgressLine line(!session.flags.quiet, "documents");
    const ExportSink sink = [&](std::string_view lines) {
      session.out->Write(session.out_style.escape ? EscapeJson(lines) : lines);
      return session.out->broken() ? Status::Cancelled("the reader of the export closed the pipe")
                                   : Status();
    };
    return session.database->Export(request_, sink,
                                    [&](const AddProgress& progress) { line.Update(progress); });
  }

  void SendJson(Session& session, const ExportReport& report, int64_t micros) const {
    JsonResponse response;
    // As in recall 0.1, total_hits counts documents and chunks.
    response.stats = StatsFields(report.docs + report.chunks, report.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = report.warnings;
    response.own_key = "export";
    response.own = [&](JsonWriter& json) {
      json.Field("out", request_.out_path);
      json.Field("format", format_);
      json.FieldOrNull("filter", report.filter);
      if (report.as_of) json.Field("as_of", FormatRfc3339(*report.as_of));
      json.Field("docs", report.docs);
      json.Field("chunks", report.chunks);
      json.Field("lines", report.lines);
      json.Field("bytes", report.bytes);
    };
    session.Send(std::move(response));
  }

  ExportRequest request_;
  std::optional<std::string> out_;
  std::string format_ = "recall";
  ScopeFlags scope_;
};

}  // namespace

const CommandInfo kExportCommand = {
    "export",
    "[OPTIONS]",
    "write documents, chunks and vectors as JSON Lines",
    "  recall export --out backup.jsonl.zst         everything, compressed\n"
    "  recall export --filter \"doc.tag = 'docs'\"    some documents, to standard output\n"
    "  recall export --format published --out old.jsonl\n",
    "The export is lossless: `recall import` makes an equal store from it, and equal stores give\n"
    "equal bytes. The file appears only when it is complete: a failed or interrupted export "
    "leaves\n"
    "an existing file unchanged. docs/format/export.md describes both formats.\n",
    [] { return std::unique_ptr<Command>(new ExportCommand); }};

}  // namespace recall
