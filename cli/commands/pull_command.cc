#include "cli/commands/commands.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

void WritePulledNotes(const PulledNotes& notes, JsonWriter& json) {
  json.Field("added", notes.added);
  json.Field("updated", notes.updated);
  json.Field("removed", notes.removed);
  json.Field("unchanged", notes.unchanged);
  json.Field("refused", notes.refused);
  json.Objects("conflicts", notes.conflicts, [&](const NoteConflict& conflict) {
    json.Field("path", conflict.path);
    json.Field("copy", conflict.copy);
    json.Field("local_stands", conflict.local_stands);
  });
  json.BeginArray("kept");
  for (const std::string& path : notes.kept) json.String(path);
  json.EndArray();
  json.Objects("left", notes.left, [&](const NoteLeft& left) {
    json.Field("path", left.path);
    json.Field("reason", left.reason);
  });
}

void WriteFields(const PullReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("remote", report.remote);
  json.Objects("branches", report.branches, [&](const PulledBranch& branch) {
    json.Field("name", branch.name);
    json.Field("commit", branch.commit);
    json.Field("frames", branch.frames);
    json.Field("versions", branch.versions);
    json.Field("note_versions", branch.note_versions);
    json.BeginArray("damaged");
    for (const int64_t number : branch.damaged) json.Int(number);
    json.EndArray();
    json.FieldOrNull("problem", branch.problem);
  });
  json.Field("added", report.added);
  json.Field("grown", report.grown);
  json.Field("refreshed", report.refreshed);
  json.Field("unchanged", report.unchanged);
  json.Field("forgotten", report.forgotten);
  json.Field("refused", report.refused);
  json.Object("notes", [&] { WritePulledNotes(report.notes, json); });
}

// Lines about notes, if the branch has any.
std::string FormatPulledNotes(const PulledNotes& notes) {
  std::string text;
  if (notes.added + notes.updated + notes.removed + notes.unchanged > 0) {
    text += "notes: " + std::to_string(notes.added) + " new, " + std::to_string(notes.updated) +
            " updated, " + std::to_string(notes.removed) + " removed, " +
            std::to_string(notes.unchanged) + " unchanged\n";
  }
  for (const NoteConflict& conflict : notes.conflicts) {
    text += "conflict: " + EscapeLine(conflict.path) + " was edited on two machines; the text of " +
            (conflict.local_stands ? "this store" : "the branch") + " stands, the other is " +
            EscapeLine(conflict.copy) + "\n";
  }
  for (const std::string& path : notes.kept) {
    text += "kept: " + EscapeLine(path) + " was removed elsewhere, but edited here\n";
  }
  return text;
}

std::string FormatReport(const PullReport& report, bool dry_run) {
  std::string text = dry_run ? "would pull " : "pulled ";
  text += Plural(report.added, "new session") + ", " + std::to_string(report.grown) + " grown, " +
          std::to_string(report.refreshed) + " refreshed, " + std::to_string(report.unchanged) +
          " unchanged (branches of " + EscapeLine(report.remote) + ": " +
          std::to_string(report.branches.size()) + ")\n";
  if (report.forgotten > 0) {
    text += Plural(report.forgotten, "session") + " left out, because `recall forget` deleted " +
            (report.forgotten == 1 ? "it" : "them") + "\n";
  }
  return text + FormatPulledNotes(report.notes);
}

int64_t DamagedFrames(const PullReport& report) {
  int64_t count = 0;
  for (const PulledBranch& branch : report.branches) {
    count += static_cast<int64_t>(branch.damaged.size()) + (branch.problem.empty() ? 0 : 1);
  }
  return count;
}

std::vector<std::string> WarningsOf(const PullReport& report) {
  std::vector<std::string> warnings = report.warnings;
  for (const PulledBranch& branch : report.branches) {
    if (!branch.problem.empty()) warnings.push_back(branch.name + ": " + branch.problem);
    for (const int64_t number : branch.damaged) {
      warnings.push_back(branch.name + ": skipped frame " + std::to_string(number) +
                         ", which is damaged");
    }
  }
  if (report.refused > 0) {
    warnings.push_back("skipped " + Plural(report.refused, "line") + " that are no sessions");
  }
  if (report.notes.refused > 0) {
    warnings.push_back("skipped " + Plural(report.notes.refused, "line") + " that are no notes");
  }
  for (const NoteLeft& left : report.notes.left) {
    warnings.push_back(left.path + " is left as it is: " + left.reason);
  }
  return warnings;
}

std::optional<Failure> FailureOf(const PullReport& report) {
  if (report.cancelled) {
    return Failure::FromStatus(Status::Cancelled("interrupted; the pulled sessions are kept",
                                                 "run the same command again to continue"));
  }
  if (DamagedFrames(report) + report.refused + report.notes.refused == 0) return std::nullopt;
  return Failure::FromStatus(
      Status::IoError("parts of the branches could not be read",
                      "the warnings name them; all else was pulled. Whoever owns a branch can "
                      "write it anew with `recall push --force`"));
}

class PullCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Text("--remote", &remote_, "NAME", "the remote of the git repository (default: origin)");
    flags.Switch("--dry-run", &request_.dry_run,
                 "fetch the branches and report, but write nothing to the store");
  }

  Status Check(const GlobalFlags&) override {
    if (remote_) request_.remote = *remote_;
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    request_.threads = static_cast<uint32_t>(context.config.threads);
    if (context.config.IsSet("notes_dir")) request_.notes_dir = context.config.notes_dir;
    request_.secret_settings = context.config.secret_settings;
    RECALL_ASSIGN(const PullReport report, context.database->Pull(request_));
    const std::optional<Failure> failure = FailureOf(report);
    if (!context.json()) {
      context.PrintWarnings(WarningsOf(report));
      if (!context.flags.quiet) context.out->Write(FormatReport(report, request_.dry_run));
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
      return failure ? failure->exit() : ExitCode::kDone;
    }
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    response.stats = StatsFields(
        report.added + report.grown + report.notes.added + report.notes.updated, stats.store,
        {.took_ms = (SteadyMicros() - start) / 1000, .timings = {}, .memory = false});
    response.warnings = WarningsOf(report);
    response.own_key = "pull";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    response.failure = failure;
    context.Send(std::move(response));
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  PullRequest request_;
  std::optional<std::string> remote_;
};

}  // namespace

const CommandInfo kPullCommand = {
    "pull",
    "[OPTIONS]",
    "get sessions and your notes from the branches of a git remote",
    "  recall pull\n"
    "  recall pull --remote upstream --dry-run\n",
    "All branches recall/* of the remote are fetched, and their sessions united with those of the\n"
    "store: a session that is in both gets the turns of both. Sessions that `recall forget` "
    "deleted\n"
    "do not come back. The source of a new one is git:BRANCH.\n"
    "Notes are taken from the own branch, recall/ADDRESS. If a note was edited on two machines, "
    "the\n"
    "later text stands, and the other is kept as ID.conflict-HASH.\n"
    "A frame of a branch that is damaged is skipped and named (exit code 3).\n",
    [] { return std::unique_ptr<Command>(new PullCommand); }};

}  // namespace recall
