// The command `capture`: makes sessions of the transcripts of coding agents, and says what it
// found.

#include <algorithm>

#include "cli/commands/capture_setup.h"
#include "cli/commands/commands.h"
#include "cli/commands/report_failures.h"
#include "cli/commands/scope_flags.h"
#include "cli/commands/watch_events.h"
#include "cli/options/flags/text_argument.h"
#include "cli/setup/watch/transcript_watcher.h"
#include "cli/show/output/capture_output.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/text_output.h"
#include "cli/show/terminal/signals.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

// `refuse` means the same as `skip`, which `add` has, too.
SecretPolicy CapturePolicy(std::string_view name) {
  if (name == "keep") return SecretPolicy::kKeep;
  return name == "skip" || name == "refuse" ? SecretPolicy::kSkip : SecretPolicy::kRedact;
}

class CaptureCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kWrite; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("PATH", &request_.paths, 0, SIZE_MAX,
                "transcripts, or directories of them; else where the agents keep them");
    flags.TextList("--from", &request_.agents, "AGENT",
                   "aider, claude-code, codex, copilot, cursor, gemini, jsonl or opencode");
    flags.Switch("--all", &request_.all, "sessions of all directories, not only of this project");
    flags.Text("--project", &project_, "DIR", "the project, instead of the working directory");
    flags.Text("--commit", &request_.commit, "REV",
               "link this commit to the sessions it came from");
    flags.Switch("--rewritten", &rewritten_,
                 "only follow commits that git replaced: lines OLD NEW on standard input");
    flags.Choice("--secrets", &secrets_, {"redact", "skip", "refuse", "keep"},
                 "replace credentials (default), leave their sessions out, or store them");
    flags.Switch("--no-raw", &no_raw_, "do not store the transcripts beside their sessions");
    flags.Switch("--again", &request_.again, "read transcripts that have not changed, too");
    flags.Text("--at", &at_, "TIME", "the time to take for now");
    flags.Switch("--dry-run", &request_.dry_run, "report what would be captured");
    flags.Switch("--watch", &watch_, "go on, and capture whenever transcripts change");
    flags.Duration("--poll", &poll_nanos_,
                   "with --watch: how often to look without an event (default: 60s)");
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(CheckAgents());
    RECALL_TRY(CheckWatch());
    if (at_) {
      RECALL_ASSIGN(request_.at, ReadTimeFlag(*at_, "--at"));
    }
    request_.secrets = CapturePolicy(secrets_);
    request_.keep_transcripts = !no_raw_;
    return Status::Ok();
  }

  Result<ExitCode> Run(CommandContext& context) override {
    const int64_t start = SteadyMicros();
    if (rewritten_) {
      RECALL_ASSIGN(const std::string lines, ReadStandardInput("the commits"));
      request_.rewritten = ReadPairs(lines);
    }
    SetUpCapture(context, project_.value_or("."), &request_);
    if (watch_) return Watch(context);
    RECALL_ASSIGN(CaptureReport report, Capture(context));
    if (report.found == 0 && report.warnings.empty() && report.failed.empty()) {
      report.warnings.push_back(WhyNothingWasFound());
    }
    const std::optional<Failure> failure = FailureOfCapture(report);
    if (context.json()) {
      RECALL_TRY(SendJson(context, report, failure, SteadyMicros() - start));
    } else {
      context.PrintWarnings(WarningsOf(report));
      if (!context.flags.quiet) {
        context.out->Write(FormatCaptureReport(report, request_.dry_run));
      }
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

 private:
  // The pairs of the lines "OLD NEW" or "OLD NEW MORE".
  static std::map<std::string, std::string> ReadPairs(std::string_view lines) {
    std::map<std::string, std::string> pairs;
    for (size_t at = 0; at < lines.size();) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      const std::string_view line = lines.substr(at, end - at);
      const size_t space = line.find(' ');
      if (space != line.npos) {
        const std::string_view rest = line.substr(space + 1);
        pairs[std::string(line.substr(0, space))] = rest.substr(0, rest.find_first_of(" \r"));
      }
      at = end + 1;
    }
    return pairs;
  }

  std::string WhyNothingWasFound() const {
    const std::string why = "no transcripts of coding agents were found";
    if (!request_.paths.empty()) return why + " in " + request_.paths.front();
    return why + (request_.all ? " where they keep them; `recall capture PATH` reads others"
                               : " of this project; --all captures those of all projects");
  }

  Status CheckWatch() const {
    if (poll_nanos_ && !watch_) {
      return Status::InvalidArgument("--poll says how often --watch looks", "add --watch");
    }
    if (poll_nanos_ && *poll_nanos_ < 1'000'000'000) {
      return Status::InvalidArgument("--poll needs at least 1s", "for example: --poll 10s");
    }
    const bool once = request_.commit || rewritten_ || at_ || request_.again || request_.dry_run;
    if (!watch_ || !once) return {};
    return Status::InvalidArgument(
        "--watch cannot be combined with --commit, --rewritten, --at, --again or --dry-run",
        "run them as a command of their own");
  }

  // Captures until Ctrl-C.
  Result<ExitCode> Watch(CommandContext& context) const {
    TranscriptWatchOptions options;
    options.capture = request_;
    if (poll_nanos_) options.poll_micros = *poll_nanos_ / 1000;
    TranscriptWatcher* running = nullptr;
    const auto ended = [&] {
      if (!context.out->Flush().ok() || context.out->broken()) running->Stop();
    };
    std::optional<ProgressLine> line(std::in_place, !context.flags.quiet, "transcripts");
    TranscriptWatchObserver observer;
    observer.on_progress = [&](const CaptureProgress& progress) {
      if (line) ShowProgress(progress, &*line);
    };
    observer.on_ready = [&](int64_t directories, int64_t polled) {
      ShowWatchReady(context, directories, polled);
      ended();
    };
    observer.on_capture = [&](const CaptureReport& report) {
      line.reset();
      ShowCapture(context, report);
      ended();
    };
    observer.on_problem = [&](const std::string& problem) {
      line.reset();
      ShowWatchProblem(context, problem);
      ended();
    };
    RECALL_ASSIGN(const auto watcher, TranscriptWatcher::Make(context.database, std::move(options),
                                                              std::move(observer)));
    running = watcher.get();
    const InterruptWake wake(watcher->stop_descriptor());
    if (WasInterrupted()) return ExitCode::kDone;
    RECALL_TRY(watcher->Run());
    return ExitCode::kDone;
  }

  static void ShowCapture(CommandContext& context, const CaptureReport& report) {
    if (context.json()) {
      SendWatchEvent(context, "capture", WarningsOf(report),
                     [&](JsonWriter& json) { WriteFields(report, false, json); });
      return;
    }
    context.PrintWarnings(WarningsOf(report));
    context.warnings.clear();
    std::string text = FormatCaptureReport(report, false);
    text.pop_back();  // the newline
    PrintWatchLine(context, text);
  }

  static void ShowProgress(const CaptureProgress& progress, ProgressLine* line) {
    AddProgress shown;
    shown.files_done = progress.transcripts_done;
    shown.files_total = progress.transcripts_total;
    shown.bytes_done = progress.bytes_done;
    shown.bytes_total = progress.bytes_total;
    line->Update(shown);
  }

  Status CheckAgents() const {
    const auto known = TranscriptAgents();
    for (const std::string& agent : request_.agents) {
      if (std::ranges::find(known, agent) != known.end()) continue;
      std::string names;
      for (const std::string_view name : known)
        names += (names.empty() ? "" : ", ") + std::string(name);
      return Status::InvalidArgument("--from " + agent + " is no agent that is known",
                                     "the agents are " + names);
    }
    return Status::Ok();
  }

  Result<CaptureReport> Capture(CommandContext& context) {
    ProgressLine line(!context.flags.quiet, "transcripts");
    return context.database->Capture(
        request_, [&](const CaptureProgress& progress) { ShowProgress(progress, &line); });
  }

  Status SendJson(CommandContext& context, const CaptureReport& report,
                  const std::optional<Failure>& failure, int64_t micros) const {
    RECALL_ASSIGN(const StatsReport stats, context.database->Stats());
    JsonResponse response;
    response.stats = StatsFields(report.captured + report.grown, stats.store,
                                 {.took_ms = micros / 1000, .timings = {}, .memory = false});
    response.warnings = WarningsOf(report);
    response.own_key = "capture";
    response.own = [&](JsonWriter& json) { WriteFields(report, request_.dry_run, json); };
    response.failure = failure;
    context.Send(std::move(response));
    return {};
  }

  CaptureRequest request_;
  std::optional<std::string> project_;
  std::optional<std::string> at_;
  std::string secrets_ = "redact";
  bool no_raw_ = false;
  bool rewritten_ = false;
  bool watch_ = false;
  std::optional<int64_t> poll_nanos_;
};

}  // namespace

const CommandInfo kCaptureCommand = {
    "capture",
    "[OPTIONS] [PATH...]",
    "capture sessions: what was said with coding agents",
    "  recall capture                          of this project, from where the agents keep them\n"
    "  recall capture --all --from claude-code of all projects, from one agent\n"
    "  recall capture --commit HEAD            and link the commit to its sessions\n"
    "  recall capture old.jsonl --from codex   one transcript\n"
    "  recall capture --watch                  and go on, until Ctrl-C\n",
    "A session is a document sessions/AGENT/ID, each turn of it a chunk; all other commands work "
    "on\n"
    "it. What was read before and has not changed is not read again. A session stays when its\n"
    "transcript is deleted; `recall forget` deletes it for good.\n"
    "Credentials are replaced before anything is stored.\n",
    [] { return std::unique_ptr<Command>(new CaptureCommand); }};

}  // namespace recall
