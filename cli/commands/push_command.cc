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
  json.Object("notes", [&] {
    json.Field("present", report.notes.present);
    json.Field("written", report.notes.written);
    json.Field("removed", report.notes.removed);
    json.Field("kept_private", report.notes.kept_private);
    json.Field("kept_by_git", report.notes.kept_by_git);
  });
}

// Lines about notes, if there are any.
std::string FormatPushedNotes(const PushedNotes& notes, bool dry_run) {
  std::string text;
  if (notes.present + notes.removed > 0) {
    text += dry_run ? "would push " : "pushed ";
    text += Plural(notes.written, "new version") + " of " + Plural(notes.present, "note");
    if (notes.removed > 0) text += ", " + Plural(notes.removed, "removal");
    text += "\n";
  }
  if (notes.kept_private > 0) {
    text +=
        Plural(notes.kept_private, "private note") + " left out; --include-private pushes them\n";
  }
  return text;
}

std::string FormatReport(const PushReport& report, bool dry_run) {
  std::string text = dry_run ? "would push " : "pushed ";
  text += Plural(report.written, "new version") + " of " + Plural(report.sessions, "session") +
          " to " + EscapeLine(report.remote) + " " + EscapeLine(report.branch) + "\n";
  if (report.kept_back > 0) {
    text += Plural(report.kept_back, "session") +
            " left out, captured with their secrets; --include-unredacted pushes them\n";
  }
  return text + FormatPushedNotes(report.notes, dry_run);
}

class PushCommand final : public Command {
 public:
  // The store records which versions of notes it has pushed.
  StoreAccess access() const override {
    return request_.dry_run ? StoreAccess::kRead : StoreAccess::kWrite;
  }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Text("--remote", &remote_, "NAME", "the remote of the git repository (default: origin)");
    flags.Text("--filter", &filter_, "EXPR", "only sessions and notes that satisfy this filter");
    flags.Switch("--force", &request_.force,
                 "write the branch anew, and replace that of the remote");
    flags.Switch("--include-unredacted", &request_.include_unredacted,
                 "also sessions that were captured with their secrets");
    flags.Switch("--include-private", &request_.include_private,
                 "also notes whose card says `sensitivity: private`");
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
        StatsFields(report.written + report.notes.written, stats.store,
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
    "carry captured sessions and notes over a branch of a git remote",
    "  recall push\n"
    "  recall push --remote upstream --filter \"doc.session.branch = 'main'\"\n"
    "  recall push --dry-run\n",
    "The sessions that were captured here, and the notes, are written to the branch "
    "recall/ADDRESS\n"
    "of the git repository, where ADDRESS is user.email, and to the remote. The work tree is not\n"
    "touched. What the branch has already is not written again. Credentials are replaced once "
    "more.\n"
    "Sessions that were captured with --secrets keep, private notes, and notes whose files git "
    "has\n"
    "stay here.\n"
    "If the remote has gone on with the branch, from another machine, run `recall pull` first.\n",
    [] { return std::unique_ptr<Command>(new PushCommand); }};

}  // namespace recall
