#pragma once

// Files without a name, which are gone with their last descriptor, and names that are given to a
// file only if nobody has them. Descriptors are closed on exec. Functions that return an int return
// a descriptor or 0, or -1 with errno. Thread-safe.

#include <string>
#include <string_view>

#include "storage/base/system_form.h"

namespace recall {

namespace linux_form {
int OpenUnnamedFile(const std::string& directory, int access, unsigned mode);
int NameFile(int descriptor, const std::string& path);
int MoveToFreeName(const std::string& from, const std::string& to);
int SealedMemory(std::string_view bytes);
int MemoryFile();
}  // namespace linux_form

namespace posix_form {
// Opens a new file in a directory; NameFile can give it a name. `access`: O_WRONLY or O_RDWR. The
// POSIX form has none, and fails with EOPNOTSUPP.
int OpenUnnamedFile(const std::string& directory, int access, unsigned mode);
// Gives a name to such a file. Fails with EEXIST if there is a file of that name.
int NameFile(int descriptor, const std::string& path);
// Renames a file. Fails with EEXIST if there is a file of the new name. Linux asks the file system
// to do both at once; the POSIX form links and unlinks, so that a crash between the two leaves both
// names. Where neither is possible, another process may take the name in between.
int MoveToFreeName(const std::string& from, const std::string& to);
// Opens a file with these bytes, at its beginning, which whoever receives the descriptor cannot
// change. Nobody can change the one of Linux.
int SealedMemory(std::string_view bytes);
// Opens an empty file for reading and writing: in memory on Linux, else in the directory for
// temporary files.
int MemoryFile();
}  // namespace posix_form

using system_form::MemoryFile;
using system_form::MoveToFreeName;
using system_form::NameFile;
using system_form::OpenUnnamedFile;
using system_form::SealedMemory;

}  // namespace recall
