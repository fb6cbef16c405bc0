#pragma once

// Files that are there as a whole or not at all: made under another name in the same directory,
// then renamed.

#include <string>

#include "storage/base/status.h"

namespace recall {

// A name beside `path` that no file has: "recall.db.new-1a2b3c4d".
std::string NameBeside(const std::string& path);

// The error of a name that is taken.
Status FileAlreadyThere(const std::string& path);

// A file that is removed, with what SQLite keeps beside it, unless it was renamed meanwhile.
class UnfinishedFile final {
 public:
  explicit UnfinishedFile(std::string path) : path_(std::move(path)) {}
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Whether both names are of one file; a symbolic link is a file of its own.
bool IsSameFile(const std::string& a, const std::string& b);

// Gives a finished database its name: AlreadyExists when the name is taken, even by a process that
// was faster. What a crash left beside a database of that name since deleted is removed first, for
// SQLite would take the old WAL for the new file's. IoError when `from` has a WAL of its own: then
// what was committed to it is not in the file, for closing it could not copy that.
Status MoveIntoPlace(const std::string& from, const std::string& to);

// Gives a finished database the name of another one, which is kept under the name `kept`. Whoever
// opens `to` finds the one or the other at any moment. AlreadyExists when there is a file `kept`;
// IoError as above.
Status TakePlace(const std::string& from, const std::string& to, const std::string& kept);

// Gives a finished database the name of a file that is dropped for it; there need be none. Busy
// when there are files beside it that say that a program has it open, or that a crash left.
Status ReplaceFile(const std::string& from, const std::string& to);

// Makes the names in the directory of `path` durable.
void SyncDirectoryOf(const std::string& path);

}  // namespace recall
