#include "cli/commands/commands.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WriteFields(const PushReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("remote", report.remote);
  json.Field("branch", report.branch);
  json.FieldOrNull("commit", report.commit);
  json.Field("new_commit", report.new_commit && !dry_run);
  json.Field("sessions", report.sessions);
  json.Field("written", report.written);
  json.Field("kept_back", report.kept_back);
  json.Field("bytes", report.bytes);
  json.Field("body_bytes", report.body_bytes);
  json.Object("redacted", [&] {
    for (const auto& [kind, count] : report.redacted) json.Field(kind, count);
  });
}

std::string FormatReport(const PushReport& report, bool dry_run) {
  std::string text = dry_run ? "would push " : "pushed ";
  text += Plural(report.written, "new version") + " of " + Plural(report.sessions, "session") +
          " to " + EscapeLine(report.remote) + " " + EscapeLine(report.branch) + "\n";
  if (report.kept_back > 0) {
    text += Plural(report.kept_back, "session") +
            " left out, captured with their secrets; --include-unredacted pushes them\n";
  }
  return text;
}

class PushCommand final : public Command {
 public:
  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Text("--remote", &remote_, "NAME", "the remote of the git repository (default: origin)");
    flags.Text("--filter", &filter_, "EXPR", "only sessions that satisfy this filter");
    flags.Switch("--force", &request_.force,
                 "write the branch anew, and replace that of the remote");
    flags.Switch("--include-unredacted", &request_.include_unredacted,
                 "also sessions that were captured with their secrets");
    flags.Switch("--dry-run", &request_.dry_run, "report what would be pushed");
  }

  Status Check(const GlobalFlags&) override {
    if (remote_) request_.remote = *remote_;
    if (filter_) request_.filter = *filter_;
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    request_.secret_settings = context.config.secret_settings;
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const PushReport report, context.database->Push(request_));
    if (!context.json()) {
      context.PrintWarnings(report.warnings);
      if (!context.flags.quiet) context.out->Write(FormatReport(report, request_.dry_run));
      return ExitCode::kDone;
    }
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    response.stats =
        StatsFields(report.written, stats.store,
                    {.took_ms = (SteadyMicros() - start) / 1000, .timings = {}, .memory = false});
    response.warnings = report.warnings;
    response.own_key = "push";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    context.Send(std::move(response));
    return ExitCode::kDone;
  }

 private:
  PushRequest request_;
  std::optional<std::string> remote_;
  std::optional<std::string> filter_;
};

}  // namespace

const CommandInfo kPushCommand = {
    "push",
    "[OPTIONS]",
    "share captured sessions over a branch of a git remote",
    "  recall push\n"
    "  recall push --remote upstream --filter \"doc.session.branch = 'main'\"\n"
    "  recall push --dry-run\n",
    "The sessions that were captured here are written to the branch recall/ADDRESS of the git\n"
    "repository, where ADDRESS is user.email, and to the remote. The work tree is not touched.\n"
    "What the branch has already is not written again. Credentials are replaced once more, and\n"
    "sessions that were captured with --secrets keep stay here.\n"
    "If the remote has gone on with the branch, from another machine, run `recall pull` first.\n",
    [] { return std::unique_ptr<Command>(new PushCommand); }};

}  // namespace recall
