#pragma once

#include <sys/types.h>

#include <optional>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
std::optional<int> AwaitEnd(pid_t child, int stop);
}  // namespace linux_form

namespace posix_form {
// Waits until a child of this process ends, or the descriptor `stop` is readable. Returns: the
// status of waitpid(2), after which the child is gone; nothing after a stop, or if it cannot wait.
// The POSIX form looks five times a second. Thread-safe.
std::optional<int> AwaitEnd(pid_t child, int stop);
}  // namespace posix_form

using system_form::AwaitEnd;

}  // namespace recall
