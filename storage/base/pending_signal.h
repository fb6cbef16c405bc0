#pragma once

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
void TakePendingSignal(int signal);
}  // namespace linux_form

namespace posix_form {
// Takes a signal away that is blocked in this thread and pending for it, if it is. Thread-safe.
void TakePendingSignal(int signal);
}  // namespace posix_form

using system_form::TakePendingSignal;

}  // namespace recall
