#pragma once

#include <string>

namespace recall {

// "SIGSEGV"; the number of a signal that a process does not usually end by.
std::string SignalName(int signal);

}  // namespace recall
