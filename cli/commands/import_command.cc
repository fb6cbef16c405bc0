#include "cli/commands/commands.h"
#include "cli/output/progress.h"
#include "cli/output/response.h"
#include "cli/output/text_output.h"
#include "cli/output/transfer_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

std::optional<Failure> FailureOf(const ImportReport& report, bool batches) {
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
    flags.Words("FILE", &files_, 1, 1, "the output of `recall export`; - is standard input");
    flags.Number("--batch", &request_.batch_docs, 1, INT32_MAX,
                 "commit after N documents (default: all or nothing)");
    flags.Switch("--dry-run", &request_.dry_run, "check everything and change nothing");
    flags.Size("--max-document-size", &request_.max_document_bytes,
               "reject documents whose lines are larger (default: 1GiB)");
  }

  Result<ExitCode> Run(Session& session) override {
    request_.path = files_[0];
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const ImportReport report, Import(session));
    const int64_t micros = SteadyMicros() - start;
    const std::optional<Failure> failure = FailureOf(report, request_.batch_docs > 0);
    if (session.json()) {
      RECALL_TRY(SendJson(session, report, failure, micros));
    } else {
      session.PrintWarnings(report.warnings);
      if (!session.flags.quiet) session.out->Write(ReportText(session, report, micros));
      if (failure) PrintFailure(*failure, OutputMode::kText, session.error_style, {}, session.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Result<ImportReport> Import(Session& session) const {
    ProgressLine line(!session.flags.quiet, "documents");
    return session.database->Import(request_,
                                    [&](const AddProgress& progress) { line.Update(progress); });
  }

  std::string ReportText(const Session& session, const ImportReport& report, int64_t micros) const {
    return ToText(report, request_.dry_run) +
           (session.flags.stable ? "" : " in " + FormatSeconds(micros)) + "\n";
  }

  Status SendJson(Session& session, const ImportReport& report,
                  const std::optional<Failure>& failure, int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, session.database->Stats());
    JsonResponse response;
    // As in recall 0.1, total_hits counts documents and chunks.
    response.stats = StatsFields(report.added + report.updated + report.chunks, stats.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = report.warnings;
    response.own_key = "import";
    response.own = [&](JsonWriter& json) {
      json.Field("dry_run", request_.dry_run);
      WriteFields(report, /*lines=*/true, json);
    };
    response.failure = failure;
    session.Send(std::move(response));
    return {};
  }

  ImportRequest request_;
  std::vector<std::string> files_;
};

}  // namespace

const CommandInfo kImportCommand = {
    "import",
    "[OPTIONS] FILE",
    "import the output of `recall export`, also of recall 0.1",
    "  recall import backup.jsonl.zst\n"
    "  recall import old.jsonl --dry-run         check it and report the changes\n"
    "  recall import huge.jsonl --batch 10000    an interrupted run continues where it stopped\n"
    "  recall export | recall import - --store other.db\n",
    "Everything is checked: ids and hashes are computed and compared, chunks are compared with "
    "their\n"
    "text. An error is reported with its line, and nothing is imported (with --batch, nothing of\n"
    "that batch). A document of the same path is replaced; if its text is the same, only its "
    "labels\n"
    "and time are updated.\n",
    [] { return std::unique_ptr<Command>(new ImportCommand); }};

}  // namespace recall
