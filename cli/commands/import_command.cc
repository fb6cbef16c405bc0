#include "cli/commands/add_flags.h"
#include "cli/commands/commands.h"
#include "cli/compat/programs/foreign_programs.h"
#include "cli/run/command/joined_text.h"
#include "cli/run/execution/auto_backup.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/output/transfer_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

std::optional<Failure> FailureOf(const ImportReport& report, const ImportRequest& request) {
  const bool batches = request.batch_docs > 0;
  const bool sessions = MakesSessions(request.program);
  if (sessions && report.cancelled) {
    return Failure::FromStatus(Status::Cancelled("interrupted; the imported sessions are kept",
                                                 "run the same command again to continue"));
  }
  if (sessions && report.failed > 0) {
    return Failure::FromStatus(
        Status::InvalidArgument(Plural(report.failed, "part") + " could not be read",
                                "the warnings name the first ones; all else was imported"));
  }
  if (report.failed > 0 && !report.cancelled) {
    return Failure::FromStatus(
        Status::InvalidArgument(Plural(report.failed, "file") + " could not be imported",
                                "the warnings name them; the others were imported"));
  }
  if (!report.cancelled) return std::nullopt;
  return Failure::FromStatus(Status::Cancelled(
      batches ? "interrupted; the committed batches are kept" : "interrupted; nothing was imported",
      batches ? "run the same command again to continue"
              : "with --batch N, committed batches are kept"));
}

class ImportCommand final : public Command {
 public:
  StoreAccess access() const override {
    return request_.dry_run ? StoreAccess::kRead : StoreAccess::kWrite;
  }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &files_, 0, 1, "the output of `recall export`; - is standard input");
    flags.Choice("--from", &request_.program, ImportChoices(),
                 "whose files PATH has (default: recall)");
    flags.Text("--dictionary", &request_.dictionary, "FILE",
               "the dictionary of zstd, or a program that contains it (" +
                   std::string(SessionsProgram()) + ")");
    DeclareSecrets(flags);
    flags.Number("--batch", &request_.batch_docs, 1, INT32_MAX,
                 "commit after N documents (default: all or nothing)");
    flags.Switch("--dry-run", &request_.dry_run, "check everything and change nothing");
    flags.Size("--max-document-size", &request_.max_document_bytes,
               "reject documents whose lines are larger (default: 1GiB)");
  }

  Status Check(const GlobalFlags&) override {
    if (files_.empty() && !has_sessions()) return Status::InvalidArgument("PATH is missing");
    request_.path = files_.empty() ? "." : files_[0];
    if (request_.dictionary && !has_sessions()) {
      return Status::InvalidArgument("--dictionary is only for --from " +
                                     std::string(SessionsProgram()));
    }
    if (request_.batch_docs > 0 && has_sessions()) {
      return Status::InvalidArgument("--batch is not for --from " + request_.program,
                                     "an import that was interrupted continues by itself");
    }
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.secret_settings = context.config.secret_settings;
    request_.secrets = PolicyFromName(context.config.secrets);
    RECALL_TRY(ReadSettings());
    if (!request_.dry_run) {
      RECALL_ASSIGN(backup_, BackUpBefore(context));
    }
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const ImportReport report, Import(context));
    const int64_t micros = SteadyMicros() - start;
    const std::optional<Failure> failure = FailureOf(report, request_);
    if (context.json()) {
      RECALL_TRY(SendJson(context, report, failure, micros));
    } else {
      context.PrintWarnings(WarningsOf(report));
      if (!context.flags.quiet) context.out->Write(ReportText(context, report, micros));
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  bool is_foreign() const { return IsForeign(request_.program); }
  bool has_sessions() const { return MakesSessions(request_.program); }

  // Read first: a fault of the settings is no reason to import half.
  Status ReadSettings() {
    if (request_.path == "-") return {};
    RECALL_ASSIGN(settings_, SettingsBeside(request_.program, request_.path));
    return {};
  }

  Result<ImportReport> Import(CommandContext& context) const {
    ProgressLine line(!context.flags.quiet, has_sessions() ? "sessions"
                                            : is_foreign() ? "notes"
                                                           : "documents");
    return context.database->Import(request_,
                                    [&](const AddProgress& progress) { line.Update(progress); });
  }

  static std::vector<std::string> WarningsOf(const ImportReport& report) {
    std::vector<std::string> warnings = report.warnings;
    for (std::string& warning : ForeignWarnings(report)) warnings.push_back(std::move(warning));
    return warnings;
  }

  std::string ReportText(const CommandContext& context, const ImportReport& report,
                         int64_t micros) const {
    const std::string time = context.flags.stable ? "" : " in " + FormatSeconds(micros);
    std::string text =
        backup_.empty() ? "" : "The store before is kept as " + EscapeLine(backup_) + "\n";
    if (!is_foreign()) return text + ToText(report, request_.dry_run) + time + "\n";
    if (has_sessions()) {
      return text + SessionsText(report, request_.dry_run) + time + "\n" + SessionDetails(report);
    }
    text += ForeignText(report, request_.dry_run) + time + "\n" + ForeignDetails(report);
    if (!settings_.empty()) text += "Its settings as lines of recall.toml:\n";
    for (const std::string& line : settings_) text += "  " + line + "\n";
    return text;
  }

  Status SendJson(CommandContext& context, const ImportReport& report,
                  const std::optional<Failure>& failure, int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    // As in recall 0.1, total_hits counts documents and chunks.
    response.stats = StatsFields(report.added + report.updated + report.chunks, stats.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = WarningsOf(report);
    response.own_key = "import";
    response.own = [&](JsonWriter& json) {
      json.Field("dry_run", request_.dry_run);
      if (!backup_.empty()) json.Field("backup", backup_);
      WriteFields(report, /*lines=*/true, json);
      if (has_sessions()) {
        json.Field("from", request_.program);
        WriteSessionFields(report, json);
      } else if (is_foreign()) {
        WriteMemoryFields(report, json);
      }
    };
    response.failure = failure;
    context.Send(std::move(response));
    return {};
  }

  void WriteMemoryFields(const ImportReport& report, JsonWriter& json) const {
    json.Field("from", request_.program);
    WriteForeignFields(report, json);
    json.Key("settings");
    json.BeginArray();
    for (const std::string& line : settings_) json.String(line);
    json.EndArray();
  }

  ImportRequest request_ = {.path = "", .program = "recall"};
  std::vector<std::string> files_;
  std::string backup_;                 // the copy of the store that was made before
  std::vector<std::string> settings_;  // lines of recall.toml
};

constexpr std::string_view kOwnImportExamples =
    "  recall import backup.jsonl.zst\n"
    "  recall import old.jsonl --dry-run         check it and report the changes\n"
    "  recall import huge.jsonl --batch 10000    an interrupted run continues where it stopped\n"
    "  recall export | recall import - --store other.db\n";

constexpr std::string_view kImportDetails =
    "Everything is checked: ids and hashes are computed and compared, chunks are compared with "
    "their\n"
    "text. An error is reported with its line, and nothing is imported (with --batch, nothing of\n"
    "that batch). A document of the same path is replaced; if its text is the same, only its "
    "labels\n"
    "and time are updated. --from reads the memory of another program, without changing it, and\n"
    "makes notes of it: ";

constexpr std::string_view kImportDetailsEnd =
    " A second import\n"
    "changes nothing. docs/memory-import.md and docs/sessions.md say what becomes of each part.\n";

}  // namespace

const CommandInfo kImportCommand = {
    "import",
    "[OPTIONS] PATH",
    "import the output of `recall export`, or the memory of another program",
    JoinedText<kOwnImportExamples, kImportExamples>::View(),
    JoinedText<kImportDetails, kImportedPrograms, kImportDetailsEnd>::View(),
    [] { return std::unique_ptr<Command>(new ImportCommand); }};

}  // namespace recall
