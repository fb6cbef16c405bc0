#pragma once

// What an extraction process may do. It reads hostile files with large libraries, so it is assumed
// that one day a file takes it over: then it can compute and answer, and nothing else.
//
//   resource limits   memory, no files written, no core, few descriptors
//   Landlock          (Linux 5.13) no path can be opened; for a helper program: only read from
//                     the system's directories
//   seccomp           a worker may use memory, its socket and its clock: every other system call
//                     kills it. A helper program may not open sockets, trace, mount and so on.
//
// The POSIX form has the resource limits alone: what reads a file could do all that the user can.
// Whoever uses it must say so (HasSandbox).

#include <cstdint>
#include <string_view>

#include "storage/base/result.h"
#include "storage/base/system_form.h"

namespace recall {

// The means of confinement that this machine's kernel and libraries provide.
struct SandboxSupport {
  bool seccomp = false;
  int landlock_version = 0;  // the version of Landlock's interface; 0: it is missing
};

// What users are told where there is none.
inline constexpr std::string_view kNoSandboxWarning =
    "documents were read without a sandbox, because this program has none for this system; add "
    "only "
    "files that you trust";

namespace linux_form {
bool HasSandbox();
SandboxSupport FindSandboxSupport();
Status EnterWorkerSandbox(int socket, uint64_t memory_bytes, bool without_seccomp);
Status EnterHelperSandbox(uint64_t memory_bytes, int cpu_seconds, bool without_seccomp);
}  // namespace linux_form

namespace posix_form {
// Whether the program has a sandbox for this system, even if the kernel or a library is too old.
bool HasSandbox();
SandboxSupport FindSandboxSupport();

// Puts this process into the worker's sandbox, for good. `memory_bytes`: of its address space.
// Everything that it needs (libraries, `socket`) must be loaded and open. All other descriptors are
// closed. `without_seccomp`: only the rest. Errors: Unsupported if seccomp is missing; IoError.
Status EnterWorkerSandbox(int socket, uint64_t memory_bytes, bool without_seccomp);

// Puts this process into the sandbox of a helper program that is executed next, which has standard
// input, output and error. Errors: as above.
Status EnterHelperSandbox(uint64_t memory_bytes, int cpu_seconds, bool without_seccomp);
}  // namespace posix_form

using system_form::EnterHelperSandbox;
using system_form::EnterWorkerSandbox;
using system_form::FindSandboxSupport;
using system_form::HasSandbox;

}  // namespace recall
