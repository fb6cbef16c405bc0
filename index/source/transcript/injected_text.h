#pragma once

#include <string>
#include <string_view>

namespace recall {

// What a person said in a message of theirs: without what agents put there (reminders, the output
// of local commands, the description of the environment, instructions of the project), which stands
// in elements such as <system-reminder>...</system-reminder>. "" if nothing is left. A command of
// the agent ("/review") is what the person said if it has arguments: "/review the login". An
// element counts only at the beginning of a line; who writes about one within a sentence quotes it.
std::string SaidByPerson(std::string_view text);

}  // namespace recall
