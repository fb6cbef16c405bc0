#pragma once

// Locks of open files that the system drops when the last descriptor of the open file is closed,
// however the process ends. Those of Linux are on ranges of bytes (fcntl(2), F_OFD_SETLK), those of
// other systems on whole files (flock(2)). No function waits. All return 0 or errno: EAGAIN or
// EACCES if another open file has the lock, another number if the file system has no such locks.
// Thread-safe.

#include <sys/types.h>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
int LockBytes(int descriptor, off_t start, off_t length);
void UnlockBytes(int descriptor, off_t start, off_t length);
bool AreBytesLocked(int descriptor, off_t start, off_t length);
int LockMark(int descriptor, off_t byte);
int LockWholeFile(int descriptor);
bool IsWholeFileLocked(int descriptor);
pid_t ProcessWithLock(const char* path, off_t byte);
}  // namespace linux_form

namespace posix_form {
// Locks a range for writing; a length of 0 is up to the end of all files. The POSIX form has no
// locks of ranges and always returns EOPNOTSUPP.
int LockBytes(int descriptor, off_t start, off_t length);
void UnlockBytes(int descriptor, off_t start, off_t length);
// Whether another open file has a lock on some byte of the range, also one of SQLite. True if it
// cannot be known. The POSIX form sees locks of ranges that other processes have.
bool AreBytesLocked(int descriptor, off_t start, off_t length);
// Locks one byte for writing, as a mark of the whole file. The POSIX form locks the file.
int LockMark(int descriptor, off_t byte);
// Locks the file for writing, if nobody has a lock on any of its bytes. The POSIX form does not see
// locks of ranges that this process has.
int LockWholeFile(int descriptor);
// Whether another open file has locked it by LockWholeFile. False if it cannot be known.
bool IsWholeFileLocked(int descriptor);
// The process that has locked a byte of a file for writing, with a lock that belongs to it as those
// of SQLite do; 0 if none has, or if it cannot be known. Opens no file at `path`: to close it would
// release the locks that this process has on it. The POSIX form always returns 0.
pid_t ProcessWithLock(const char* path, off_t byte);
}  // namespace posix_form

using system_form::AreBytesLocked;
using system_form::IsWholeFileLocked;
using system_form::LockBytes;
using system_form::LockMark;
using system_form::LockWholeFile;
using system_form::ProcessWithLock;
using system_form::UnlockBytes;

}  // namespace recall
