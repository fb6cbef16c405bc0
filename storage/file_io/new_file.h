#pragma once

// Files that appear under their name complete or not at all: they are written under another name in
// the same directory, then renamed.

#include <string>

#include "storage/base/status.h"

namespace recall {

// A name beside `path` that no other file has: "recall.db.new-1a2b3c4d".
std::string NameBeside(const std::string& path);

// The error of a path that already exists: a file or a directory.
Status FileAlreadyThere(const std::string& path);

// Returns whether both names are of one file; a symbolic link counts as a file of its own.
bool IsSameFile(const std::string& a, const std::string& b);

// Renames a finished database to `to`. AlreadyExists if the name is in use, even if another process
// created it meanwhile. Files that a crash left beside an earlier database of that name are removed
// first, because SQLite would apply the old WAL to the new file. IoError if `from` has a WAL of its
// own: closing could not copy it, so the file lacks committed data.
Status MoveIntoPlace(const std::string& from, const std::string& to);

// Renames a finished database to `to`, whose file is kept under the name `kept`. At any moment,
// opening `to` opens one of the two files. AlreadyExists if `kept` exists; IoError as above.
Status TakePlace(const std::string& from, const std::string& to, const std::string& kept);

// Renames a finished database to `to` and deletes the file that had that name, if any. Busy if
// files beside it show that a program has it open or that a program crashed.
Status ReplaceFile(const std::string& from, const std::string& to);

// Makes the directory entry of `path` durable.
void SyncDirectoryOf(const std::string& path);

}  // namespace recall
