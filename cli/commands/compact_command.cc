#include "cli/commands/commands.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteFields(const CompactReport& report, bool secure, JsonWriter& json) {
  json.Field("secure", secure);
  json.Field("expired_snapshots", report.expired_snapshots);
  json.Field("oldest_snapshot", report.oldest_snapshot);
  json.Field("purged_docs", report.purged_docs);
  json.Field("purged_chunks", report.purged_chunks);
  json.Field("segments_before", report.segments_before);
  json.Field("segments_after", report.segments_after);
  json.Field("bytes_before", report.bytes_before);
  json.Field("bytes_after", report.bytes_after);
}

std::string ReportText(const CompactReport& report, bool stable) {
  std::string text = "purged " + Plural(report.purged_docs, "document") + ", " +
                     Plural(report.purged_chunks, "chunk") + "\n" + "dropped " +
                     Plural(report.expired_snapshots, "snapshot") +
                     "; the oldest readable one is " + report.oldest_snapshot + "\n";
  if (stable) return text;
  return text + FormatBytes(report.bytes_before) + " -> " + FormatBytes(report.bytes_after) + ", " +
         std::to_string(report.segments_before) + " -> " +
         Plural(report.segments_after, "segment") + "\n";
}

class CompactCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Duration("--keep-snapshots", &keep_,
                   "keep the snapshots of this time readable (default: 1d)");
    flags.Switch("--secure", &request_.secure,
                 "keep no snapshots; fail if deleted data is left in the file");
  }

  Status Check(const GlobalFlags&) override {
    if (request_.secure && keep_ && *keep_ > 0) {
      return Status::InvalidArgument("--secure keeps no snapshots",
                                     "omit --keep-snapshots or --secure");
    }
    if (keep_) request_.keep_nanos = *keep_;
    if (request_.secure) request_.keep_nanos = 0;
    return {};
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const CompactReport report, Compact(context));
    const int64_t micros = SteadyMicros() - start;
    if (context.json()) {
      SendJson(context, report, micros);
    } else {
      context.PrintWarnings();
      if (!context.flags.quiet) context.out->Write(ReportText(report, context.flags.stable));
    }
    return ExitCode::kDone;
  }

 private:
  Result<CompactReport> Compact(CommandContext& context) const {
    ProgressLine line(!context.flags.quiet);
    return context.database->Compact(
        request_, [&](const CompactProgress& progress) { line.Update(progress); });
  }

  void SendJson(CommandContext& context, const CompactReport& report, int64_t micros) const {
    JsonResponse response;
    response.stats = StatsFields(report.purged_docs, report.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.own_key = "compact";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.secure, json); };
    context.Send(std::move(response));
  }

  CompactRequest request_;
  std::optional<int64_t> keep_;
};

}  // namespace

const CommandInfo kCompactCommand = {
    "compact",
    "[OPTIONS]",
    "delete removed documents and old snapshots for good, and shrink the file",
    "  recall compact\n"
    "  recall compact --keep-snapshots 2h    snapshots of the last two hours stay readable\n"
    "  recall compact --secure               leave no removed data in the file\n",
    "Answers do not change. Snapshots older than --keep-snapshots (30m, 12h, 7d, 2w; 0 for none)\n"
    "cannot be read any more: their tokens give the error snapshot_expired. It can be interrupted "
    "at\n"
    "any time, and other processes may read and write meanwhile. It needs space for a copy of the\n"
    "store.\n",
    [] { return std::unique_ptr<Command>(new CompactCommand); }};

}  // namespace recall
