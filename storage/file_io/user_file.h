#pragma once

#include <string>

#include "storage/base/result.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {

// What a file that a user names for reading may be. The null device is an empty file of both kinds.
enum class FileKind {
  kRegular,
  // A regular file, or what can be waited for: a pipe, a socket, a terminal. Its reader must poll,
  // so that the wait can be interrupted, and must bound what it keeps.
  kStream,
};

// Opens a file for reading. Never waits, not even for the writer of a named pipe. Errors: NotFound;
// InvalidArgument if the file is not of this kind; IoError.
Result<FileDescriptor> OpenUserFile(const std::string& path, FileKind kind);

// Checks an open file; `name` is used in errors. Errors: those of OpenUserFile.
Status CheckFileKind(int fd, const std::string& name, FileKind kind);

}  // namespace recall
