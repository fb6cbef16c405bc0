#include "cli/commands/commands.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/output/transfer_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

std::optional<Failure> FailureOf(const MergeReport& report) {
  if (!report.import.cancelled) return std::nullopt;
  return Failure::FromStatus(Status::Cancelled("interrupted; the committed batches are kept",
                                               "run the same command again to continue"));
}

class MergeCommand final : public Command {
 public:
  StoreAccess access() const override {
    return request_.dry_run ? StoreAccess::kRead : StoreAccess::kWrite;
  }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("OTHER", &stores_, 1, INT32_MAX, "a store, as in --store");
    flags.Switch("--dry-run", &request_.dry_run, "check everything and change nothing");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    for (const std::string& store : stores_) {
      RECALL_ASSIGN(std::string path, LocateOther(context.locate, store));
      request_.paths.push_back(std::move(path));
    }
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const MergeReport report, Merge(context));
    const int64_t micros = SteadyMicros() - start;
    const std::optional<Failure> failure = FailureOf(report);
    if (context.json()) {
      RECALL_TRY(SendJson(context, report, failure, micros));
    } else {
      context.PrintWarnings(report.import.warnings);
      if (!context.flags.quiet) context.out->Write(ReportText(context, report, micros));
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  Result<MergeReport> Merge(CommandContext& context) const {
    ProgressLine line(!context.flags.quiet, "documents");
    return context.database->Merge(request_,
                                   [&](const AddProgress& progress) { line.Update(progress); });
  }

  std::string ReportText(const CommandContext& context, const MergeReport& report,
                         int64_t micros) const {
    return ToText(report.import, request_.dry_run) + " of " +
           Plural(static_cast<int64_t>(report.stores.size()), "store") +
           (context.flags.stable ? "" : " in " + FormatSeconds(micros)) + "\n";
  }

  Status SendJson(CommandContext& context, const MergeReport& report,
                  const std::optional<Failure>& failure, int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    int64_t hits = 0;
    for (const MergeReport::Store& store : report.stores) hits += store.docs + store.chunks;
    JsonResponse response;
    response.stats =
        StatsFields(hits, stats.store, {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = report.import.warnings;
    response.own_key = "merge";
    response.own = [&](JsonWriter& json) {
      json.Field("dry_run", request_.dry_run);
      json.Objects("stores", report.stores, [&](const MergeReport::Store& store) {
        json.Field("path", store.path);
        json.Field("docs", store.docs);
        json.Field("chunks", store.chunks);
      });
      WriteFields(report.import, /*lines=*/false, json);
    };
    response.failure = failure;
    context.Send(std::move(response));
    return {};
  }

  MergeRequest request_;
  std::vector<std::string> stores_;
};

}  // namespace

const CommandInfo kMergeCommand = {
    "merge",
    "[OPTIONS] OTHER...",
    "import the documents of other stores",
    "  recall merge shard-a.db shard-b.db        combine stores of several machines\n"
    "  recall merge ~/notes --store all.db\n"
    "  recall merge --dry-run team.db            report the changes\n",
    "The store is then the same as if all documents had been added to it. Paths stay as they are "
    "in\n"
    "the other stores. A document of the same path is replaced; of several stores, that of the "
    "last\n"
    "one is used. If its text is the same, only its labels and time are updated. The other stores\n"
    "are only read, and may be in use. Everything is checked; to continue an interrupted merge, "
    "run\n"
    "it again.\n",
    [] { return std::unique_ptr<Command>(new MergeCommand); }};

}  // namespace recall
