#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/run_jobs.h"
#include "cli/commands/run_text.h"
#include "cli/setup/runs/run_log.h"
#include "cli/show/output/response.h"

namespace recall {
namespace {

class RunsCommand final : public Command {
 public:
  StoreAccess access() const override { return StoreAccess::kPath; }

  void Declare(FlagSet& flags, GlobalFlags&) override {
    flags.Words("JOB", &jobs_, 0, SIZE_MAX, "only runs that had one of these jobs",
                {kJobNames.begin(), kJobNames.end()});
    flags.Number("--limit", &limit_, 1, static_cast<int64_t>(kMostRuns),
                 "the most runs (default: 20)");
    flags.AlsoSpelled("-n,-k,--k");
  }

  Result<ExitCode> Run(CommandContext& context) override {
    std::vector<RunRecord> runs = RunLog(PlaceOfRuns(context.store_path)).Read();
    std::erase_if(runs, [this](const RunRecord& run) { return !IsWanted(run); });
    const size_t total = runs.size();
    runs.resize(std::min(total, static_cast<size_t>(limit_)));
    if (total == 0) context.warnings.push_back(WhyThereAreNone());
    if (context.json()) {
      JsonResponse response;
      response.results = {runs.size(),
                          [&](size_t i, JsonWriter& json) { WriteFields(runs[i], json); }};
      response.own_key = "runs";
      response.own = [&](JsonWriter& json) { json.Field("total", total); };
      context.Send(std::move(response));
      return ExitCode::kDone;
    }
    context.PrintWarnings();
    for (const RunRecord& run : runs) {
      context.out->Write(FormatRun(run, context.flags.stable));
    }
    return ExitCode::kDone;
  }

 private:
  bool IsWanted(const RunRecord& run) const {
    return jobs_.empty() || std::ranges::any_of(run.jobs, [this](const JobRecord& job) {
             return std::ranges::find(jobs_, job.name) != jobs_.end();
           });
  }

  std::string WhyThereAreNone() const {
    return jobs_.empty() ? "nothing has run yet: `recall run` runs jobs" : "no run had such a job";
  }

  std::vector<std::string> jobs_;
  int64_t limit_ = 20;
};

}  // namespace

const CommandInfo kRunsCommand = {
    "runs",
    "[OPTIONS] [JOB...]",
    "show the runs of jobs: when, what, how long, and how each ended",
    "  recall runs                     the last twenty, the newest first\n"
    "  recall runs add --limit 1       the last one that added documents\n"
    "  recall runs --json | jq '.results[] | select(.status != \"done\")'\n",
    "A run that was killed is shown as interrupted, one that found another one active as skipped.\n"
    "What `recall run` did is recorded on this machine, for this user, in recall/runs in\n"
    "XDG_STATE_HOME (~/.local/state), by the path of the store; 1,000 runs are shown at most.\n",
    [] { return std::unique_ptr<Command>(new RunsCommand); }};

}  // namespace recall
