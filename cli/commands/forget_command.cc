#include "cli/commands/commands.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteFields(const ForgetReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("forgotten", report.forgotten);
}

class ForgetCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("SESSION", &request_.targets, 0, SIZE_MAX,
                "a path, an id, or the beginning of one that no other session has");
    flags.Text("--filter", &filter_, "EXPR", "all sessions that satisfy this filter");
    flags.Text("--before", &before_, "TIME",
               "all (of these) whose last turn was before: 2026-01-31, -180d");
    flags.Switch("--dry-run", &request_.dry_run, "name the sessions, and delete nothing");
  }

  Status Check(const GlobalFlags&) override {
    if (filter_) request_.filters.push_back(*filter_);
    if (before_) {
      if (before_->find('\'') != std::string::npos) {
        return Status::InvalidArgument("--before must be a time, such as 2026-01-31 or -180d");
      }
      request_.filters.push_back("doc.mtime < '" + *before_ + "'");
    }
    if (!request_.targets.empty() && !request_.filters.empty()) {
      return Status::InvalidArgument("SESSION cannot be combined with --filter and --before",
                                     "name the sessions, or describe them");
    }
    if (!request_.targets.empty() || !request_.filters.empty()) return Status::Ok();
    return Status::InvalidArgument("SESSION is missing", "`recall sessions` lists them");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const ForgetReport report, context.database->Forget(request_));
    if (!context.json()) {
      context.PrintWarnings(report.warnings);
      if (context.flags.quiet) return ExitCode::kDone;
      for (const std::string& path : report.forgotten) {
        context.out->Write((request_.dry_run ? "would forget " : "forgot ") + EscapeLine(path) +
                           "\n");
      }
      if (report.forgotten.empty()) context.out->Write("no session matches\n");
      return ExitCode::kDone;
    }
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    response.stats =
        StatsFields(static_cast<int64_t>(report.forgotten.size()), stats.store,
                    {.took_ms = (SteadyMicros() - start) / 1000, .timings = {}, .memory = false});
    response.warnings = report.warnings;
    response.own_key = "forget";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    context.Send(std::move(response));
    return ExitCode::kDone;
  }

 private:
  ForgetRequest request_;
  std::optional<std::string> filter_;
  std::optional<std::string> before_;
};

}  // namespace

const CommandInfo kForgetCommand = {
    "forget",
    "[OPTIONS] SESSION... | --filter EXPR | --before TIME",
    "delete captured sessions for good",
    "  recall forget 0d6c5f1a\n"
    "  recall forget --before -180d --dry-run\n"
    "  recall forget --filter \"doc.session.cwd GLOB '/home/me/private/**'\"\n",
    "The sessions, their transcripts and all their versions are deleted from the file, which is\n"
    "rewritten. That they are forgotten is remembered: capture, pull and merge do not bring them\n"
    "back.\n",
    [] { return std::unique_ptr<Command>(new ForgetCommand); }};

}  // namespace recall
