#pragma once

// What a process can find out about itself and others: from /proc on Linux, elsewhere from what
// POSIX has. Thread-safe, except RememberProgram.

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "storage/base/system_form.h"

namespace recall {

// In bytes; 0: not known.
struct ProcessMemory {
  int64_t resident = 0;
  int64_t mapped = 0;
};

namespace linux_form {
void RememberProgram(const char* word);
std::string PathOfProgram();
std::string FileOfProgram();
bool StatOfProgram(struct stat* info);
std::string PathToReopen(int descriptor);
std::string FileOfDescriptor(int descriptor);
std::optional<std::array<uint64_t, 2>> NamespaceOfFiles();
std::string BootIdentity();
ProcessMemory MemoryOfProcess();
int64_t PeakMemoryBytes(const rusage& usage);
bool IsRunning(pid_t process);
void EndWithParent();
}  // namespace linux_form

namespace posix_form {
// Called first by main with its word 0, from which the POSIX form finds the file of the program.
void RememberProgram(const char* word);
// A path that starts the program again: on Linux even if its file was replaced. "": not known, or
// the program is one of others (hosted.h).
std::string PathOfProgram();
// The file that the program was started from. "": not known, or it has gone.
std::string FileOfProgram();
// Facts of that file as it was when the program was started. Returns: false if they are not known.
bool StatOfProgram(struct stat* info);
// A path by which this process can open the file of a descriptor once more. "": there is none.
std::string PathToReopen(int descriptor);
// The absolute path of the file of a descriptor. "": not known, or it is none.
std::string FileOfDescriptor(int descriptor);
// What tells a namespace of files from others of the machine; always the same where the system has
// one alone.
std::optional<std::array<uint64_t, 2>> NamespaceOfFiles();
// A text that is another one after each start of the system. "": not known.
std::string BootIdentity();
// The POSIX form knows only the most that was ever resident.
ProcessMemory MemoryOfProcess();
// The most memory that was resident.
int64_t PeakMemoryBytes(const rusage& usage);
// Whether the process exists and, on Linux, is not stopped, as by SIGSTOP or a debugger.
bool IsRunning(pid_t process);
// From now on this process is killed when its parent ends. Nothing in the POSIX form.
void EndWithParent();
}  // namespace posix_form

using system_form::BootIdentity;
using system_form::EndWithParent;
using system_form::FileOfDescriptor;
using system_form::FileOfProgram;
using system_form::IsRunning;
using system_form::MemoryOfProcess;
using system_form::NamespaceOfFiles;
using system_form::PathOfProgram;
using system_form::PathToReopen;
using system_form::PeakMemoryBytes;
using system_form::RememberProgram;
using system_form::StatOfProgram;

}  // namespace recall
