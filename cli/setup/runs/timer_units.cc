#include "cli/setup/runs/timer_units.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/setup/install/settings_file.h"
#include "query/database/database.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// The first line of a unit. The digits are the hash of all others.
constexpr std::string_view kUnitMark =
    "# Written by `recall run --install-timer`; `recall run --remove-timer` removes it. sha256 ";
constexpr int64_t kNanosPerMinute = 60'000'000'000;
constexpr int64_t kMinutesPerHour = 60;
constexpr int64_t kMinutesPerDay = 24 * kMinutesPerHour;

std::string Marked(const std::string& text) {
  return std::string(kUnitMark) + HashOf(text) + "\n" + text;
}

bool IsMarked(std::string_view text) {
  const size_t end = text.find('\n');
  if (!text.starts_with(kUnitMark) || end == text.npos) return false;
  return text.substr(kUnitMark.size(), end - kUnitMark.size()) == HashOf(text.substr(end + 1));
}

// The value of a line "KEY=VALUE"; "" if there is none.
std::string_view ValueIn(std::string_view unit, std::string_view key) {
  const std::string line = "\n" + std::string(key) + "=";
  const size_t at = unit.find(line);
  if (at == unit.npos) return "";
  unit.remove_prefix(at + line.size());
  return unit.substr(0, unit.find('\n'));
}

// '%' begins a specifier everywhere in a unit.
std::string WithoutSpecifiers(std::string_view text) {
  std::string plain;
  for (const char c : text) plain += c == '%' ? std::string("%%") : std::string(1, c);
  return plain;
}

// A word in double quotes. `variables`: '$' begins a variable, as in arguments.
std::string QuotedForUnit(std::string_view word, bool variables) {
  std::string quoted = "\"";
  for (const char c : WithoutSpecifiers(word)) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '$' && variables) quoted += '$';
    quoted += c;
  }
  return quoted + "\"";
}

Status CheckWord(std::string_view word) {
  const bool control = std::ranges::any_of(
      word, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
  if (!control) return {};
  return Status::InvalidArgument("a unit of systemd cannot hold a name with control characters",
                                 "give the file or directory another name");
}

std::string DescriptionOf(const TimerRequest& request) {
  // A backslash at the end would continue the line.
  return "Jobs of the store at " + WithoutSpecifiers(request.store) + " (Recall)";
}

// Extractors confine themselves; what the user has configured for a store may be any program.
std::string ServiceText(const TimerRequest& request) {
  std::string command = QuotedForUnit(request.program, false);
  for (const std::string& argument : request.arguments) {
    command += " " + QuotedForUnit(argument, true);
  }
  std::string text = "[Unit]\nDescription=" + DescriptionOf(request) +
                     "\nDocumentation=man:recall-run(1)\n\n[Service]\nType=oneshot\n";
  for (const std::string& variable : request.environment) {
    text += "Environment=" + QuotedForUnit(variable, false) + "\n";
  }
  return text + "ExecStart=" + command +
         "\nUMask=0077\nNice=10\nIOSchedulingClass=idle\nNoNewPrivileges=yes\nLockPersonality=yes\n"
         "RestrictRealtime=yes\nRestrictSUIDSGID=yes\n";
}

std::string TimerText(const TimerRequest& request) {
  return "[Unit]\nDescription=" + DescriptionOf(request) +
         "\nDocumentation=man:recall-run(1)\n\n[Timer]\nOnCalendar=" + request.calendar +
         "\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n";
}

Result<UnitPlans> Survey(std::string_view name) {
  RECALL_ASSIGN(const std::string directory, DirectoryOfUnits());
  UnitPlans plans;
  const std::string base = directory + "/" + UnitNameOf(name);
  plans[0].file = base + ".service";
  plans[1].file = base + ".timer";
  for (UnitPlan& plan : plans) {
    RECALL_ASSIGN(plan.before, ReadSettings(plan.file));
    if (plan.before) plan.state = IsMarked(*plan.before) ? UnitState::kOurs : UnitState::kOther;
  }
  return plans;
}

Status CheckOurs(const UnitPlans& plans, std::string_view force_does) {
  for (const UnitPlan& plan : plans) {
    if (plan.state != UnitState::kOther) continue;
    return Status::AlreadyExists(
        plan.file + " was changed, or `recall run --install-timer` did not write it",
        "--force " + std::string(force_does) + " it");
  }
  return {};
}

// The link by which `systemctl --user enable` makes the timer start.
Status RemoveLink(const fs::path& timer) {
  const fs::path link = timer.parent_path() / "timers.target.wants" / timer.filename();
  std::error_code error;
  const fs::path target = fs::read_symlink(link, error);
  if (error || target.filename() != timer.filename()) return {};
  RECALL_TRY(RemoveSettings(link.string()));
  RemoveEmptyDirectories({link.parent_path().string()});
  return {};
}

}  // namespace

Result<std::string> CalendarAt(std::string_view time) {
  const auto digits = [&](size_t at, char first, char second) {
    return time[at] >= '0' && time[at] <= first && time[at + 1] >= '0' &&
           time[at + 1] <= (time[at] == first ? second : '9');
  };
  if (time.size() == 5 && time[2] == ':' && digits(0, '2', '3') && digits(3, '5', '9')) {
    return "*-*-* " + std::string(time) + ":00";
  }
  return Fail(
      Status::InvalidArgument("--at must be a time of the day, not '" + std::string(time) + "'",
                              "for example: --at 03:00"));
}

Result<std::string> CalendarEvery(int64_t nanos) {
  const int64_t minutes = nanos / kNanosPerMinute;
  const auto two = [](int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  if (minutes > 0 && minutes * kNanosPerMinute == nanos) {
    if (minutes < kMinutesPerHour && kMinutesPerHour % minutes == 0) {
      return "*-*-* *:00/" + two(minutes) + ":00";
    }
    const int64_t hours = minutes / kMinutesPerHour;
    const bool whole = hours * kMinutesPerHour == minutes;
    if (whole && hours == 1) return std::string("*-*-* *:00:00");
    if (whole && minutes < kMinutesPerDay && kMinutesPerDay % minutes == 0) {
      return "*-*-* 00/" + two(hours) + ":00:00";
    }
    if (minutes == kMinutesPerDay) return std::string("*-*-* 00:00:00");
  }
  return Fail(Status::InvalidArgument(
      "--every must divide an hour or a day",
      "for example: 15m, 1h, 6h; `systemctl --user edit` gives the timer any other time"));
}

std::string TimerNameOf(std::string_view store) {
  const fs::path file = store.substr(0, store.find('?'));
  const bool usual = !IsServerAddress(store) && file.filename() == "recall.db";
  std::string name = (usual ? file.parent_path().filename() : file.stem()).string();
  for (char& c : name) {
    if (!IsAsciiAlnum(c) && c != '-' && c != '_' && c != '.') c = '-';
  }
  return name.empty() || name == "-" ? "store" : name;
}

Status CheckTimerName(std::string_view name) {
  const bool ok = std::ranges::all_of(
      name, [](char c) { return IsAsciiAlnum(c) || c == '-' || c == '_' || c == '.'; });
  if (ok && !name.empty() && name.size() <= 100) return {};
  return Status::InvalidArgument("--name must have 1 to 100 letters, digits, '-', '_' or '.'",
                                 "for example: --name nightly");
}

std::string UnitNameOf(std::string_view name) { return "recall-run-" + std::string(name); }

Result<std::string> DirectoryOfUnits() {
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::string(config) + "/systemd/user";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.config/systemd/user";
  return Fail(Status::InvalidArgument("HOME is not set", "set it to your home directory"));
}

Result<UnitPlans> PlanTimer(const TimerRequest& request, bool force) {
  RECALL_TRY(CheckWord(request.program));
  RECALL_TRY(CheckWord(request.store));
  for (const std::string& word : request.arguments) RECALL_TRY(CheckWord(word));
  for (const std::string& word : request.environment) RECALL_TRY(CheckWord(word));
  RECALL_ASSIGN(UnitPlans plans, Survey(request.name));
  if (!force) RECALL_TRY(CheckOurs(plans, "replaces"));
  plans[0].after = Marked(ServiceText(request));
  plans[1].after = Marked(TimerText(request));
  for (UnitPlan& plan : plans) {
    if (plan.state == UnitState::kAbsent) continue;
    if (!force && ValueIn(*plan.before, "Description") != DescriptionOf(request)) {
      return Fail(Status::AlreadyExists(plan.file + " is of another store",
                                        "--name NAME gives the units of this one another name"));
    }
    if (plan.before == plan.after) plan.state = UnitState::kSame;
  }
  return plans;
}

Result<UnitPlans> PlanNoTimer(std::string_view name, bool force) {
  RECALL_ASSIGN(UnitPlans plans, Survey(name));
  if (!force) RECALL_TRY(CheckOurs(plans, "removes"));
  return plans;
}

Status CarryOut(const UnitPlans& plans) {
  for (const UnitPlan& plan : plans) {
    const fs::path directory = fs::path(plan.file).parent_path();
    if (plan.after) {
      if (plan.before == plan.after) continue;
      RECALL_TRY(MakeDirectories(directory.string()));
      RECALL_TRY(WriteSettings(plan.file, *plan.after, ""));
      continue;
    }
    if (plan.file.ends_with(".timer")) RECALL_TRY(RemoveLink(plan.file));
    if (!plan.before) continue;
    RECALL_TRY(RemoveSettings(plan.file));
    RemoveEmptyDirectories({directory.parent_path().string(), directory.string()});
  }
  return {};
}

}  // namespace recall
