#include <unistd.h>

#include "storage/base/child_descriptors.h"

namespace recall::linux_form {

void CloseDescriptors(int first, int last) {
  ::close_range(static_cast<unsigned>(first), static_cast<unsigned>(last), 0);
}

void CloseInChild(posix_spawn_file_actions_t* actions, int first) {
  posix_spawn_file_actions_addclosefrom_np(actions, first);
}

}  // namespace recall::linux_form
