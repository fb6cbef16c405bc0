#pragma once

// What a system can do with the bytes of files beyond reading and writing them. Where it cannot,
// the program is slower or keeps more, and does the same. Thread-safe.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
ssize_t ReadIfCached(int descriptor, void* to, size_t bytes, off_t offset);
void StartReading(int descriptor, off_t offset, off_t bytes);
int DropCached(int descriptor);
int SyncData(int descriptor);
void FreeBytes(int descriptor, off_t offset, off_t bytes);
bool CountCached(void* mapping, size_t bytes, uint64_t* pages, uint64_t* cached);
}  // namespace linux_form

namespace posix_form {
// As pread(2), but fails with EAGAIN instead of waiting for a disk. The POSIX form waits.
ssize_t ReadIfCached(int descriptor, void* to, size_t bytes, off_t offset);
// Starts to read bytes into the page cache, without waiting. The POSIX form does nothing.
void StartReading(int descriptor, off_t offset, off_t bytes);
// Drops the pages of a file from the page cache that are on the disk and in no mapping. Returns: 0
// or an error number. The POSIX form cannot, and returns EOPNOTSUPP.
int DropCached(int descriptor);
// Waits until the content of a file is on the disk, and what is needed to read it. Returns: 0 or -1
// with errno.
int SyncData(int descriptor);
// Gives the space of bytes back, which then read as zeros; its size stays. Nothing happens if the
// file system cannot, and in the POSIX form.
void FreeBytes(int descriptor, off_t offset, off_t bytes);
// Adds the pages of a mapped file, and those of them that are in memory. Returns: false if the
// system does not say, as in the POSIX form.
bool CountCached(void* mapping, size_t bytes, uint64_t* pages, uint64_t* cached);
}  // namespace posix_form

using system_form::CountCached;
using system_form::DropCached;
using system_form::FreeBytes;
using system_form::ReadIfCached;
using system_form::StartReading;
using system_form::SyncData;

}  // namespace recall
