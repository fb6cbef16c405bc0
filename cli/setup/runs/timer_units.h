#pragma once

// Units of systemd that start `recall run` for the user at certain times: a service and its timer.
// They are files of the user, and the first line of each says who wrote it, so that it can be taken
// away again, and nothing else.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

struct TimerRequest {
  std::string name;                         // of the units: recall-run-NAME
  std::string program;                      // absolute
  std::vector<std::string> arguments;       // of the program
  std::vector<std::string> environment{};   // "NAME=VALUE"
  std::string store;                        // its path or address
  std::string calendar = "*-*-* 03:00:00";  // as OnCalendar= takes it
};

enum class UnitState { kAbsent, kSame, kOurs, kOther };

// What is to be done with one of the two files.
struct UnitPlan {
  std::string file;  // absolute
  UnitState state = UnitState::kAbsent;
  std::optional<std::string> before;  // the bytes of the file; nothing if there is none
  std::optional<std::string> after;   // nothing: the file is removed
};
using UnitPlans = std::array<UnitPlan, 2>;

// For "03:00", every day at that time. Errors: InvalidArgument.
Result<std::string> CalendarAt(std::string_view time);
// For a length of time that divides an hour or a day. Errors: InvalidArgument for others.
Result<std::string> CalendarEvery(int64_t nanos);

// A name for the units of a store: the name of its file, or of its directory if that is recall.db.
std::string TimerNameOf(std::string_view store);
// Errors: InvalidArgument for other characters than letters, digits, '-', '_' and '.'.
Status CheckTimerName(std::string_view name);
// "recall-run-NAME"
std::string UnitNameOf(std::string_view name);

// $XDG_CONFIG_HOME/systemd/user, else ~/.config/systemd/user. Errors: InvalidArgument without HOME.
Result<std::string> DirectoryOfUnits();

// Errors: AlreadyExists without `force` if a file is by somebody else, was changed, or is of
// another store; InvalidArgument for a word that units cannot hold; IoError.
Result<UnitPlans> PlanTimer(const TimerRequest& request, bool force);
// Errors: AlreadyExists without `force` as above, but whatever the store; IoError.
Result<UnitPlans> PlanNoTimer(std::string_view name, bool force);

// Writes or removes each file whole, and the directories that it needs, or needed alone. With the
// timer its link is removed by which systemd starts it. Errors: IoError.
Status CarryOut(const UnitPlans& plans);

}  // namespace recall
