#pragma once

#include "cli/command.h"

namespace recall {

extern const CommandInfo kInitCommand;
extern const CommandInfo kAddCommand;
extern const CommandInfo kRmCommand;
extern const CommandInfo kSearchCommand;
extern const CommandInfo kContextCommand;
extern const CommandInfo kGetCommand;
extern const CommandInfo kStatsCommand;
extern const CommandInfo kVersionCommand;

}  // namespace recall
