#pragma once

#include <string>
#include <vector>

#include "cli/options/flags/flags.h"
#include "storage/base/result.h"

namespace recall {

// A member of the body of a request.
struct RequestMember {
  std::string name;                       // "min_score" for "--min-score", "query" for "QUERY"
  const FlagSet::Entry* entry = nullptr;  // of the command
  bool is_switch = false;                 // true or false
};

// Who makes requests: a client of a server, or the program that this code is a part of, which may
// also name files of its own.
enum class Requester { kClient, kHost };

// The members that the body of a command may have. Flags that name files or stores of the server,
// and those of terminals, do not exist here. They refer to `entries`.
std::vector<RequestMember> MembersOf(const std::vector<FlagSet::Entry>& entries,
                                     Requester requester = Requester::kClient);

// The command line that a JSON object means: a member for each flag, named as the flag with '_' for
// '-' ("min_score"), and one for the arguments, named as they are ("query", "target", "rql",
// "path"). A text, number or array of them gives the values; true and false set and omit a switch;
// null is the same as no member. `embedding` is an array of numbers. `entries`: of the command.
// Errors: InvalidArgument.
Result<std::vector<std::string>> ArgsFromBody(const std::vector<FlagSet::Entry>& entries,
                                              const std::string& body,
                                              Requester requester = Requester::kClient);

}  // namespace recall
