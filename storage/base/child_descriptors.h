#pragma once

// Closing descriptors that a program was started with and knows nothing about. Linux does so in one
// call, the POSIX form descriptor by descriptor, for at most kMostDescriptors of them. Thread-safe.

#include <spawn.h>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
void CloseDescriptors(int first, int last);
void CloseInChild(posix_spawn_file_actions_t* actions, int first);
}  // namespace linux_form

namespace posix_form {
inline constexpr int kMostDescriptors = 4096;
// Closes all open descriptors from `first` to `last`.
void CloseDescriptors(int first, int last);
// Has a child close all descriptors from `first` on.
void CloseInChild(posix_spawn_file_actions_t* actions, int first);
}  // namespace posix_form

using system_form::CloseDescriptors;
using system_form::CloseInChild;

}  // namespace recall
