#pragma once

#include <string>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The variables that a service manager has set for this process; "" for one that is not set.
struct ActivationVariables {
  std::string pid;    // LISTEN_PID
  std::string count;  // LISTEN_FDS
  std::string names;  // LISTEN_FDNAMES, separated by colons
};

struct PassedSocket {
  int descriptor = -1;
  std::string name;  // FileDescriptorName= of the unit; "" if unknown
};

// The sockets that a service manager, such as systemd, listens on and passes to the process `pid`:
// the descriptors from 3 on (sd_listen_fds(3)). Returns: none if there are none, or if they are
// meant for another process. Errors: InvalidArgument for variables that are no such numbers.
Result<std::vector<PassedSocket>> ParseActivation(const ActivationVariables& variables, int pid);

// Takes the sockets that were passed to this process. Removes the variables from the environment,
// and marks the descriptors close-on-exec, so that neither reaches the programs that it starts.
// Must be called before threads are started.
Result<std::vector<PassedSocket>> TakePassedSockets();

}  // namespace recall
