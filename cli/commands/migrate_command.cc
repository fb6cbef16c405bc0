#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/options/settings/absolute_path.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/output/transfer_output.h"
#include "cli/show/terminal/signals.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

class MigrateCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kNone; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("OLD [NEW]", &paths_, 0, 2,
                "the store of recall 0.1 (default: the one here); a name for the new one");
    flags.Setting("--chunk-tokens", "chunk_tokens", "N",
                  "maximum tokens in a chunk, for files added later");
    flags.Setting("--overlap-tokens", "overlap_tokens", "N",
                  "number of tokens that consecutive chunks share");
    flags.Setting("--ann-seed", "ann_seed", "N", "seed of the vector index");
  }

  Status Check(const GlobalFlags& globals) override {
    if (paths_.empty() || !globals.store) return {};
    return Status::InvalidArgument("OLD and --store cannot be combined");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    RECALL_TRY(Plan(context));
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const MigrateReport report, Migrate(context));
    const int64_t micros = SteadyMicros() - start;
    if (context.json()) {
      SendJson(context, report, micros);
      return ExitCode::kDone;
    }
    context.PrintWarnings(report.import.warnings);
    if (!context.flags.quiet) context.out->Write(ReportText(context, report, micros));
    return ExitCode::kDone;
  }

 private:
  // Determines the paths of the old and the new store and the settings of the new one.
  Status Plan(CommandContext& context) {
    std::vector<std::string> unused;
    if (paths_.empty()) {
      RECALL_ASSIGN(const StoreLocation found, LocateStore(context.locate, &unused));
      request_.from = found.path;
    } else {
      request_.from = paths_[0];
      if (!IsServerAddress(request_.from)) {
        RECALL_ASSIGN(request_.from, AbsolutePath(request_.from));
      }
    }
    if (IsServerAddress(request_.from)) {
      return Status::InvalidArgument("a store of recall 0.1 is a file, and " + request_.from +
                                         " is the address of a store on a server",
                                     "name the file: recall migrate OLD NEW");
    }
    if (paths_.size() == 2) {
      RECALL_ASSIGN(const StoreLocation place,
                    PlanStore(context.locate, paths_[1], &context.warnings));
      request_.to = place.path;
      if (IsServerAddress(request_.to)) {
        return Status::InvalidArgument(
            "migrate makes a file, and " + request_.to + " is the address of a store on a server",
            "migrate to a file, then `recall backup ADDRESS --store FILE`");
      }
      return TakeSettings(place);
    }
    // Rename the file itself, not a symbolic link to it.
    std::error_code missing;
    const auto real = std::filesystem::canonical(request_.from, missing);
    if (!missing) request_.from = real.string();
    request_.to = request_.from;
    request_.keep = request_.from + ".old";
    LocateRequest beside = context.locate;
    beside.store.clear();
    const std::string directory = std::filesystem::path(request_.from).parent_path().string();
    RECALL_ASSIGN(const StoreLocation place, PlanStore(beside, directory, &context.warnings));
    return TakeSettings(place);
  }

  Status TakeSettings(const StoreLocation& place) {
    const Config config = ResolveConfig(place.layers);
    RECALL_TRY(CheckConfig(config));
    request_.settings = CreateOptionsFrom(config);
    request_.keep_dim = !config.IsSet("embedding_dim");
    return {};
  }

  Result<MigrateReport> Migrate(CommandContext& context) const {
    const InterruptFlag interrupted;
    ProgressLine line(!context.flags.quiet, "documents");
    return Database::Migrate(
        request_, [&](const AddProgress& progress) { line.Update(progress); }, interrupted.get());
  }

  std::string ReportText(const CommandContext& context, const MigrateReport& report,
                         int64_t micros) const {
    std::string text = "Migrated " + Plural(report.store.docs, "document") + ", " +
                       Plural(report.store.chunks, "chunk") + " of " + report.generation + " to " +
                       EscapeLine(request_.to) +
                       (context.flags.stable ? "" : " in " + FormatSeconds(micros)) + "\n";
    if (!request_.keep.empty()) {
      text += "The old store is kept as " + EscapeLine(request_.keep) + "\n";
    }
    return text;
  }

  void SendJson(CommandContext& context, const MigrateReport& report, int64_t micros) const {
    JsonResponse response;
    response.stats = StatsFields(report.store.docs + report.store.chunks, report.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = report.import.warnings;
    response.own_key = "migrate";
    response.own = [&](JsonWriter& json) {
      json.Field("from", request_.from);
      json.Field("to", request_.to);
      json.FieldOrNull("kept", request_.keep);
      json.Field("generation", report.generation);
      WriteFields(report.import, /*lines=*/true, json);
    };
    context.Send(std::move(response));
  }

  MigrateRequest request_;
  std::vector<std::string> paths_;
};

}  // namespace

const CommandInfo kMigrateCommand = {
    "migrate",
    "[OPTIONS] [OLD [NEW]]",
    "convert a store of recall 0.1",
    "  recall migrate                       the store here; the old one is kept as recall.db.old\n"
    "  recall migrate ~/notes/recall.db\n"
    "  recall migrate old.db new.db         old.db stays as it is\n",
    "Ids, labels, times and metadata are kept. Vectors are kept if they are of the same embedder,\n"
    "else computed again. The old store is only read. The new one appears only when it is "
    "complete:\n"
    "a failed or interrupted migration leaves everything unchanged. Recall 0.1 did not store the\n"
    "text of documents, only their words; run `recall add` afterwards to store the original "
    "text.\n",
    [] { return std::unique_ptr<Command>(new MigrateCommand); }};

}  // namespace recall
