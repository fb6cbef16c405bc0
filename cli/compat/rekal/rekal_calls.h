#pragma once

// The command lines of rekal, whose name this program may be called by.

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Whether `program`, the path that the program was called by, ends with the name `rekal`.
bool IsRekal(std::string_view program);

// A command line of recall, as part of one of rekal.
struct RekalCall {
  std::vector<std::string> args;
  // Whether what follows runs even if this one fails. If any call of those succeeds, the whole
  // command line does.
  bool may_fail = false;

  bool operator==(const RekalCall&) const = default;
};

// Translates a command line of rekal, without the name of the program. Returns: the command lines
// of recall to run one after the other, such as {"capture"} for {"checkpoint"}. A command line that
// has the same meaning here is returned as it is. `terminal`: the answer is for a terminal, where
// it is text; elsewhere it is the JSON document of that program.
std::vector<RekalCall> CallsOfRekal(std::vector<std::string> args, bool terminal);

// A search without a command, with the flag that makes its answer the JSON document of rekal,
// unless the command line has a flag that decides on its form.
std::vector<std::string> InShapeOfRekal(std::vector<std::string> args);

}  // namespace recall
