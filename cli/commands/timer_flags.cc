#include "cli/commands/timer_flags.h"

#include <cstdlib>
#include <utility>

#include "cli/options/settings/absolute_path.h"
#include "cli/setup/install/program_path.h"
#include "cli/setup/install/text_diff.h"
#include "cli/setup/runs/timer_units.h"
#include "cli/show/output/response.h"

namespace recall {
namespace {

std::string_view ActionOf(const UnitPlan& plan) {
  if (!plan.after) return plan.before ? "remove" : "none";
  if (!plan.before) return "add";
  return plan.before == plan.after ? "none" : "replace";
}

// "Added ~/.config/systemd/user/recall-run-notes.timer"
std::string SentenceOf(const UnitPlan& plan, bool dry_run) {
  const std::string_view action = ActionOf(plan);
  const std::string file = EscapeLine(plan.file) + "\n";
  if (action == "none") return (plan.after ? "unchanged: " : "not there: ") + file;
  if (dry_run) return "Would " + std::string(action) + " " + file;
  if (action == "add") return "Added " + file;
  return (action == "remove" ? "Removed " : "Replaced ") + file;
}

// The commands that make systemd read the units again and start or stop the timer.
std::string NextStep(const std::string& name, bool install) {
  const std::string timer = UnitNameOf(name) + ".timer";
  if (install) return "systemctl --user daemon-reload && systemctl --user enable --now " + timer;
  return "systemctl --user stop " + timer + "; systemctl --user daemon-reload";
}

void SendPlans(CommandContext& context, const UnitPlans& plans, const std::string& name,
               bool dry_run, bool install) {
  JsonResponse response;
  response.own_key = "run";
  response.own = [&](JsonWriter& json) {
    json.Object("timer", [&] {
      json.Field("name", name);
      json.Field("dry_run", dry_run);
      json.Objects("files", plans, [&](const UnitPlan& plan) {
        json.Field("file", plan.file);
        json.Field("action", ActionOf(plan));
        if (dry_run) json.Field("diff", UnifiedDiff(plan.file, plan.before, plan.after));
      });
      json.Field("next", NextStep(name, install));
    });
  };
  context.Send(std::move(response));
}

}  // namespace

void TimerFlags::Declare(FlagSet& flags) {
  flags.Switch("--install-timer", &install_,
               "write units of systemd that run the jobs, instead of running them");
  flags.Text("--at", &at_, "TIME", "with --install-timer: when, each day (default: 03:00)");
  flags.Duration("--every", &every_nanos_, "with --install-timer: how often, as in 15m, 1h, 6h");
  flags.Text("--name", &name_, "NAME", "of the units recall-run-NAME (default: from the store)");
  flags.Switch("--remove-timer", &remove_, "remove the units that --install-timer wrote");
  flags.Switch("--dry-run", &dry_run_, "show the change of the units");
  flags.Switch("--force", &force_, "replace or remove units that were changed");
}

Status TimerFlags::Check(bool has_jobs) {
  if (install_ && remove_) {
    return Status::InvalidArgument("--install-timer and --remove-timer exclude each other");
  }
  if (remove_ && has_jobs) {
    return Status::InvalidArgument("--remove-timer takes no JOB", "leave the jobs out");
  }
  if (!install_ && (at_ || every_nanos_)) {
    return Status::InvalidArgument("--at and --every say when a timer starts the jobs",
                                   "add --install-timer");
  }
  if (!AreGiven() && (dry_run_ || force_ || name_)) {
    return Status::InvalidArgument("--name, --dry-run and --force are for timers",
                                   "add --install-timer or --remove-timer");
  }
  if (at_ && every_nanos_) {
    return Status::InvalidArgument("--at and --every exclude each other");
  }
  if (name_) RECALL_TRY(CheckTimerName(*name_));
  if (at_) {
    RECALL_ASSIGN(calendar_, CalendarAt(*at_));
  }
  if (every_nanos_) {
    RECALL_ASSIGN(calendar_, CalendarEvery(*every_nanos_));
  }
  return {};
}

Result<ExitCode> TimerFlags::Apply(CommandContext& context,
                                   const std::vector<std::string>& words) const {
  TimerRequest request;
  request.name = name_.value_or(TimerNameOf(context.store_path));
  request.store = context.store_path;
  request.calendar = calendar_;
  // systemd does not look for it where a shell does.
  RECALL_ASSIGN(request.program, ProgramToStart(""));
  request.arguments = {"run", "--store", context.store_path};
  if (!context.locate.config_file.empty()) {
    RECALL_ASSIGN(const std::string config, AbsolutePath(context.locate.config_file));
    request.arguments.insert(request.arguments.end(), {"--config", config});
  }
  request.arguments.insert(request.arguments.end(), words.begin(), words.end());
  // So that the runs are recorded where `recall runs` of this shell looks for them.
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') {
    request.environment.push_back("XDG_STATE_HOME=" + std::string(state));
  }
  RECALL_ASSIGN(const UnitPlans plans,
                remove_ ? PlanNoTimer(request.name, force_) : PlanTimer(request, force_));
  if (!dry_run_) RECALL_TRY(CarryOut(plans));
  if (context.json()) {
    SendPlans(context, plans, request.name, dry_run_, install_);
    return ExitCode::kDone;
  }
  context.PrintWarnings();
  for (const UnitPlan& plan : plans) {
    if (!context.flags.quiet) context.out->Write(SentenceOf(plan, dry_run_));
    if (dry_run_) context.out->Write(UnifiedDiff(plan.file, plan.before, plan.after));
  }
  if (!dry_run_ && !context.flags.quiet) {
    context.out->Write("now type: " + NextStep(request.name, install_) + "\n");
  }
  return ExitCode::kDone;
}

}  // namespace recall
