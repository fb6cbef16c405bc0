#include "cli/commands/commands.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteFields(const EmbedReport& report, JsonWriter& json) {
  json.Field("embedder", report.embedder);
  json.Field("version", report.version);
  json.Field("dim", report.dim);
  json.Field("chunks", report.chunks);
  json.Field("resumed", report.resumed);
  json.Field("already", report.already);
}

std::string ReportText(const EmbedReport& report) {
  if (report.already) return "the store already has vectors of " + report.embedder + "\n";
  std::string text = "embedded " + Plural(report.chunks, "chunk");
  if (report.resumed > 0)
    text += " and, before an interruption, " + Plural(report.resumed, "chunk");
  return text + "; the store now has vectors of " + report.embedder + ", version " +
         report.version + ", " + Plural(report.dim, "dimension") + "\n";
}

class EmbedCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }
  // Settings may differ from the recorded ones, because this command changes the recorded embedder.
  bool HoldsToStore() const override { return false; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Text("--as", &name_, "NAME", "the embedder: lsa, hash, or one configured in recall.toml");
    flags.Suggest({"hash", "lsa"});
    flags.Text("--model", &model_of_, "STORE",
               "adopt and keep the LSA model of another store, named as in --store");
    flags.Switch("--again", &request_.again, "even if the store already has its vectors");
    flags.Setting("--threads", "threads", "N",
                  "number of texts to embed at once (0: one per core)");
  }

  Status Check(const GlobalFlags&) override {
    if (!name_ && model_of_) name_ = "lsa";
    if (!name_ || name_->empty()) {
      return Status::InvalidArgument("--as NAME is missing", "for example: recall embed --as lsa");
    }
    request_.embedder = *name_;
    if (!model_of_ || request_.embedder == "lsa") return {};
    return Status::InvalidArgument("--model is for the embedder lsa alone, not for " + *name_);
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    request_.threads = static_cast<uint32_t>(context.config.threads);
    if (model_of_) {
      RECALL_ASSIGN(request_.model_of, LocateOther(context.locate, *model_of_));
    }
    RECALL_ASSIGN(const EmbedReport report, Embed(context));
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    const int64_t micros = SteadyMicros() - start;
    if (context.json()) {
      JsonResponse response;
      response.stats = StatsFields(report.chunks, stats.store,
                                   {.took_ms = micros / 1000, .timings = {}, .memory = false});
      response.own_key = "embed";
      response.own = [&](JsonWriter& json) { WriteFields(report, json); };
      context.Send(std::move(response));
    } else {
      context.PrintWarnings();
      if (!context.flags.quiet) context.out->Write(ReportText(report));
    }
    return ExitCode::kDone;
  }

 private:
  Result<EmbedReport> Embed(CommandContext& context) const {
    ProgressLine line(!context.flags.quiet, "chunks");
    return context.database->Embed(request_, [&](int64_t done, int64_t chunks) {
      AddProgress progress;
      progress.files_done = done;
      progress.files_total = chunks;
      line.Update(progress);
    });
  }

  EmbedRequest request_;
  std::optional<std::string> name_;
  std::optional<std::string> model_of_;
};

}  // namespace

const CommandInfo kEmbedCommand = {
    "embed",
    "--as NAME | --model STORE [OPTIONS]",
    "compute the vectors of all chunks with another embedder",
    "  recall embed --as minilm        [embedders.minilm] of your recall.toml\n"
    "  recall embed --as lsa           back to the LSA model of the store's texts\n"
    "  recall embed --model team.db    the LSA model of another store\n",
    "Searches use the old vectors until all chunks have new ones. It can be interrupted at any\n"
    "time; the next call continues. Earlier snapshots keep their vectors.\n"
    "docs/embedders.md describes how to configure embedders.\n",
    [] { return std::unique_ptr<Command>(new EmbedCommand); }};

}  // namespace recall
