#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace recall {

// Where the signals of this process's terminal do not reach.
enum class QuietProcess { kOwnGroup, kOwnSession };

// Starts a program that is found as by a shell, with nothing of this process but its environment
// and working directory: standard streams of /dev/null, no further descriptors, no blocked signals.
// `words`: those of its command line, with the name by which it is listed first. Returns: the
// process, which the caller may wait for; nothing if it cannot be started. Thread-safe.
std::optional<pid_t> SpawnQuietly(const std::string& program, std::vector<std::string> words,
                                  QuietProcess kind);

}  // namespace recall
