// The command `run`: jobs that are done unattended, each run of which is recorded.
//
// A run holds a lock, so that a second one is skipped instead of waiting: the next night comes. A
// job that fails does not keep the others from running, except that a damaged store is only
// examined. Errors of opening the store are those of a job, so they are recorded, too.

#include <algorithm>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/commands/run_jobs.h"
#include "cli/commands/run_text.h"
#include "cli/commands/timer_flags.h"
#include "cli/options/settings/absolute_path.h"
#include "cli/setup/runs/run_log.h"
#include "cli/show/output/response.h"
#include "cli/show/terminal/signals.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr UnixNanos kNanosPerMilli = 1'000'000;

RunEnd EndOf(const std::optional<Failure>& failure, int64_t began_micros) {
  RunEnd end;
  end.micros = SteadyMicros() - began_micros;
  if (!failure) return end;
  end.exit_code = static_cast<int>(failure->exit());
  end.error = InfoOf(failure->code).name;
  end.message = failure->message;
  return end;
}

// "add: 2 files could not be read"
Failure OfJob(Failure failure, const std::string& job) {
  failure.message = job + ": " + failure.message;
  return failure;
}

class RunCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("JOB", &jobs_, 0, SIZE_MAX,
                "capture, add, compact or doctor, in the order in which they are run",
                {kJobNames.begin(), kJobNames.end()});
    flags.TextList("--known", &settings_.known, "DIR",
                   "add: where to look for new files (default: beside the store)");
    flags.Number("--max-skipped", &settings_.max_skipped, 0, INT32_MAX,
                 "add: fail if more than N files were skipped");
    flags.Switch("--all", &settings_.all_sessions,
                 "capture: sessions of all directories, not only of the store's project");
    timer_.Declare(flags);
  }

  Status Check(const GlobalFlags&) override {
    RECALL_TRY(timer_.Check(!jobs_.empty()));
    if (jobs_.empty() && !timer_.Removes()) return Status::InvalidArgument("JOB is missing");
    for (const std::string& job : jobs_) {
      if (std::ranges::count(jobs_, job) == 1) continue;
      return Status::InvalidArgument("the job " + job + " is there twice");
    }
    const auto lacks = [this](const std::string& job) {
      return !jobs_.empty() && std::ranges::find(jobs_, job) == jobs_.end();
    };
    if (lacks("add") && (settings_.max_skipped || !settings_.known.empty())) {
      return Status::InvalidArgument("--known and --max-skipped are for the job add");
    }
    if (lacks("capture") && settings_.all_sessions) {
      return Status::InvalidArgument("--all is for the job capture");
    }
    return {};
  }

  Result<ExitCode> Run(CommandContext& context) override {
    for (std::string& directory : settings_.known) {
      RECALL_ASSIGN(directory, AbsolutePath(directory));
    }
    if (timer_.AreGiven()) return timer_.Apply(context, Words());
    std::vector<std::string> shown;  // the warnings were those of finding it before this
    RECALL_ASSIGN(const StoreLocation location, LocateStore(context.locate, &shown));
    const InterruptFlag interrupted;
    RunRecord run;
    run.began = WallClockNanos() / kNanosPerMilli * kNanosPerMilli;
    for (const std::string& job : jobs_) run.jobs.push_back({.name = job});
    RunLog log(PlaceOfRuns(context.store_path));
    const Result<bool> locked = log.Lock();
    if (locked && !*locked) return Skip(context, log, &run);
    // Without a place for the record, the jobs are done nevertheless.
    RunLog* record = locked ? &log : nullptr;
    Note(context, locked ? log.Begin(&run) : locked.error(), &record);
    return Finish(
        context, run,
        RunJobs({context, location, settings_, interrupted.get()}, context, &record, &run));
  }

 private:
  // The words of this command line, for a timer.
  std::vector<std::string> Words() const {
    std::vector<std::string> words;
    for (const std::string& directory : settings_.known) {
      words.insert(words.end(), {"--known", directory});
    }
    if (settings_.max_skipped) {
      words.insert(words.end(), {"--max-skipped", std::to_string(*settings_.max_skipped)});
    }
    if (settings_.all_sessions) words.emplace_back("--all");
    words.insert(words.end(), jobs_.begin(), jobs_.end());
    return words;
  }

  // Warns of what could not be recorded, and records nothing from then on.
  static void Note(CommandContext& context, const Status& status, RunLog** record) {
    if (status.ok()) return;
    context.warnings.push_back("this run is not recorded: " + std::string(status.message()));
    *record = nullptr;
  }

  static Result<ExitCode> Skip(CommandContext& context, const RunLog& log, RunRecord* run) {
    run->status = RunStatus::kSkipped;
    RunLog* record = nullptr;
    Note(context, log.Skipped(run), &record);
    if (context.json()) {
      Send(context, *run, std::nullopt);
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    if (!context.flags.quiet) {
      context.out->Write("skipped: another run of this store is active\n");
    }
    return ExitCode::kDone;
  }

  // Returns: the first failure.
  static std::optional<Failure> RunJobs(const JobRunner& runner, CommandContext& context,
                                        RunLog** record, RunRecord* run) {
    std::optional<Failure> first;
    bool damaged = false;
    const int64_t run_began = SteadyMicros();
    for (JobRecord& job : run->jobs) {
      if (WasInterrupted()) break;
      if (damaged && job.name != "doctor") {
        if (!context.json()) Show(context, job);
        continue;
      }
      const int64_t job_began = SteadyMicros();
      JobOutcome outcome = runner.Run(job.name);
      job.end = EndOf(outcome.failure, job_began);
      job.status = StatusOf(*job.end);
      job.counts = std::move(outcome.counts);
      if (*record) Note(context, (*record)->JobEnded(*run, job), record);
      for (const std::string& warning : outcome.warnings) {
        context.warnings.push_back(job.name + ": " + warning);
      }
      if (!context.json()) Show(context, job);
      if (!outcome.failure) continue;
      damaged |= outcome.failure->exit() == ExitCode::kCorrupt;
      if (!first) first = OfJob(std::move(*outcome.failure), job.name);
    }
    if (WasInterrupted() && !first) {
      first = Failure::FromStatus(Status::Cancelled("interrupted; the jobs that ended are done"));
    }
    run->end = EndOf(first, run_began);
    run->status = StatusOf(*run->end);
    if (*record) Note(context, (*record)->Ended(*run), record);
    return first;
  }

  static void Show(CommandContext& context, const JobRecord& job) {
    context.PrintWarnings();
    if (context.flags.quiet) return;
    context.out->Write(FormatJob(job, context.flags.stable));
    // A log shows what was done so far. The end of the command reports an error.
    context.out->Flush().IgnoreError();
  }

  static Result<ExitCode> Finish(CommandContext& context, const RunRecord& run,
                                 const std::optional<Failure>& failure) {
    if (context.json()) {
      Send(context, run, failure);
    } else {
      context.PrintWarnings();
      if (failure) PrintFailure(*failure, OutputMode::kText, context.error_style, {}, context.out);
    }
    return failure ? failure->exit() : ExitCode::kDone;
  }

  static void Send(CommandContext& context, const RunRecord& run,
                   const std::optional<Failure>& failure) {
    JsonResponse response;
    response.own_key = "run";
    response.own = [&](JsonWriter& json) { WriteFields(run, json); };
    response.failure = failure;
    context.Send(std::move(response));
  }

  std::vector<std::string> jobs_;
  JobSettings settings_;
  TimerFlags timer_;
};

}  // namespace

const CommandInfo kRunCommand = {
    "run",
    "[OPTIONS] JOB...",
    "run jobs unattended, as from a timer: capture, add, compact, doctor",
    "  recall run capture add compact doctor\n"
    "  recall run add --known docs --max-skipped 10    fail if more files were skipped\n"
    "  recall run --install-timer --at 03:00 --dry-run capture add doctor\n"
    "  recall run --remove-timer --dry-run\n",
    "capture captures new sessions of the project that the store is in. add brings the store up "
    "to\n"
    "date with the files that it knows, and adds new ones like them, as `add --known` does, but\n"
    "keeps the documents of a directory that is empty: a disk may not be mounted. compact and\n"
    "doctor are the commands of these names.\n"
    "\n"
    "A job that fails does not stop the others; the exit code is that of the first. While a run "
    "of\n"
    "the same store is active, another one does nothing and says so, with exit code 0. `recall\n"
    "runs` shows how runs ended, also those that were killed.\n"
    "\n"
    "--install-timer writes recall-run-NAME.service and recall-run-NAME.timer to the user's units\n"
    "of systemd, which also start a run that was missed while the machine was off. It prints the\n"
    "command that enables them.\n",
    [] { return std::unique_ptr<Command>(new RunCommand); }};

}  // namespace recall
