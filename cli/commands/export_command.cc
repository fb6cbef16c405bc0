#include "cli/commands/commands.h"
#include "cli/commands/scope_flags.h"
#include "cli/compat/programs/foreign_programs.h"
#include "cli/run/command/joined_text.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr std::pair<const char*, ExportLayout> kLayouts[] = {{"recall", ExportLayout::kRecall},
                                                             {"published", ExportLayout::kRecall01},
                                                             {"notes", ExportLayout::kNotes},
                                                             {"memory", ExportLayout::kGraph}};

class ExportCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("DIR", &directories_, 0, 1, "the directory of --format notes");
    flags.Text("--out", &out_, "FILE",
               "write to this file (.zst compresses) instead of standard output");
    flags.Choice("--format", &format_, {"recall", "published", "notes", "memory"},
                 "published: that of recall 0.1; notes: Markdown files; memory: the\n"
                 "lines of " +
                     std::string(kGraphReader) + " (default: recall)");
    flags.Switch("--force", &request_.force,
                 "notes: also replace files that no export wrote, or that were edited");
    scope_.DeclareFilter(flags);
    scope_.DeclareAsOf(flags);
  }

  Status Check(const GlobalFlags& globals) override {
    RECALL_TRY(scope_.Read());
    request_.scope = scope_.scope();
    for (const auto& [name, layout] : kLayouts) {
      if (format_ == name) request_.layout = layout;
    }
    RECALL_TRY(CheckDirectory());
    if (out_ && *out_ != "-") request_.out_path = *out_;
    if (out_ && out_->empty()) return Status::InvalidArgument("--out needs a file name");
    if (request_.layout == ExportLayout::kNotes) request_.out_path = directories_[0];
    if (!globals.json || !request_.out_path.empty()) return {};
    return Status::InvalidArgument("--json needs --out FILE",
                                   "standard output cannot hold both the lines and the answer");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    Result<ExportReport> report = Export(context);
    // The reader closed the pipe, as in `recall export | head -1`: end without an error.
    if (!report && context.out->broken()) return ExitCode::kDone;
    if (!report) return Fail(report.error());
    const int64_t micros = SteadyMicros() - start;
    if (context.json()) {
      SendJson(context, *report, micros);
      return ExitCode::kDone;
    }
    context.PrintWarnings(report->warnings);
    const bool timed = !context.flags.stable;
    if (IsOfNotes() && !context.flags.quiet) {
      // Standard output has the lines.
      const std::string text = NotesText(*report, timed ? micros : -1);
      if (request_.out_path.empty()) {
        context.out->WriteError(text);
      } else {
        context.out->Write(text);
      }
    } else if (!request_.out_path.empty() && !context.flags.quiet) {
      context.out->Write("Exported " + Plural(report->docs, "document") + ", " +
                         Plural(report->chunks, "chunk") + " (" + FormatBytes(report->bytes) +
                         ") to " + EscapeLine(request_.out_path) +
                         (timed ? " in " + FormatSeconds(micros) : "") + "\n");
    }
    return ExitCode::kDone;
  }

 private:
  bool IsOfNotes() const {
    return request_.layout == ExportLayout::kNotes || request_.layout == ExportLayout::kGraph;
  }

  Status CheckDirectory() const {
    const bool notes = request_.layout == ExportLayout::kNotes;
    if (notes && (directories_.empty() || directories_[0].empty())) {
      return Status::InvalidArgument("--format notes needs a directory",
                                     "for example: recall export --format notes vault");
    }
    if (notes && out_) {
      return Status::InvalidArgument("--format notes writes files and has no --out",
                                     "specify the directory without --out");
    }
    if (!notes && !directories_.empty()) {
      return Status::InvalidArgument("only --format notes has a directory",
                                     "write other formats to a file with --out FILE");
    }
    if (!notes && request_.force) {
      return Status::InvalidArgument("--force needs --format notes",
                                     "the file of --out is always replaced");
    }
    return {};
  }

  // `micros`: -1 for no time.
  std::string NotesText(const ExportReport& report, int64_t micros) const {
    std::string text = "Exported " + Plural(report.docs, "note");
    if (request_.layout == ExportLayout::kNotes) {
      text += " (" + Plural(report.files_written, "file") + " written)";
    }
    if (!request_.out_path.empty()) text += " to " + EscapeLine(request_.out_path);
    if (micros >= 0) text += " in " + FormatSeconds(micros);
    text += "\n";
    if (report.left_out.empty()) return text;
    const char* separator = "Not exported: ";
    for (const auto& [key, count] : report.left_out) {
      text += separator + EscapeLine(key) + " (" + std::to_string(count) + ")";
      separator = ", ";
    }
    return text + "\n";
  }

  Result<ExportReport> Export(CommandContext& context) const {
    ProgressLine line(!context.flags.quiet, "documents");
    const ExportSink sink = [&](std::string_view lines) {
      context.out->Write(context.out_style.escape ? EscapeJson(lines) : lines);
      return context.out->broken() ? Status::Cancelled("the reader of the export closed the pipe")
                                   : Status();
    };
    return context.database->Export(request_, sink,
                                    [&](const AddProgress& progress) { line.Update(progress); });
  }

  void SendJson(CommandContext& context, const ExportReport& report, int64_t micros) const {
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
      if (request_.layout == ExportLayout::kNotes) {
        json.Field("files_written", report.files_written);
      }
      if (request_.layout == ExportLayout::kGraph) {
        json.Key("left_out");
        json.BeginObject();
        for (const auto& [key, count] : report.left_out) json.Field(key, count);
        json.EndObject();
      }
    };
    context.Send(std::move(response));
  }

  ExportRequest request_;
  std::vector<std::string> directories_;
  std::optional<std::string> out_;
  std::string format_ = "recall";
  ScopeFlags scope_;
};

constexpr std::string_view kExportDetails =
    "The export is lossless: `recall import` makes an equal store from it, and equal stores give\n"
    "equal bytes. The file appears only when it is complete: a failed or interrupted export "
    "leaves\n"
    "an existing file unchanged. docs/format/export.md describes both formats.\n"
    "--format notes and memory export notes only, for ";

constexpr std::string_view kExportDetailsEnd =
    "; `recall import --from` reads them again (docs/memory-import.md).\n";

}  // namespace

const CommandInfo kExportCommand = {
    "export",
    "[OPTIONS] [DIR]",
    "write documents as JSON Lines, or notes for other programs",
    "  recall export --out backup.jsonl.zst         everything, compressed\n"
    "  recall export --filter \"doc.tag = 'docs'\"    some documents, to standard output\n"
    "  recall export --format published --out old.jsonl\n"
    "  recall export --format notes vault           notes as Markdown files\n",
    JoinedText<kExportDetails, kNotesReaders, kExportDetailsEnd>::View(),
    [] { return std::unique_ptr<Command>(new ExportCommand); }};

}  // namespace recall
