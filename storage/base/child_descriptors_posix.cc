#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "storage/base/child_descriptors.h"

namespace recall::posix_form {
namespace {

int EndOfDescriptors() {
  const long most = ::sysconf(_SC_OPEN_MAX);
  return most < 0 ? kMostDescriptors : static_cast<int>(std::min<long>(most, kMostDescriptors));
}

}  // namespace

void CloseDescriptors(int first, int last) {
  const int end = EndOfDescriptors();
  for (int descriptor = first; descriptor <= last && descriptor < end; ++descriptor) {
    ::close(descriptor);
  }
}

// Closing one that is not open would keep the child from starting.
void CloseInChild(posix_spawn_file_actions_t* actions, int first) {
  const int end = EndOfDescriptors();
  for (int descriptor = first; descriptor < end; ++descriptor) {
    const int flags = ::fcntl(descriptor, F_GETFD);
    if (flags >= 0 && (flags & FD_CLOEXEC) == 0) {
      posix_spawn_file_actions_addclose(actions, descriptor);
    }
  }
}

}  // namespace recall::posix_form
