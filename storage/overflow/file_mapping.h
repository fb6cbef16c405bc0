#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// A file mapped read-only for the lifetime of the process.
//
// POSIX record locks belong to the pair (process, inode). Closing any descriptor of a database
// drops all locks that SQLite has on it, and another process could then write during an open read
// transaction. So Recall opens exactly one descriptor per file, before SQLite opens the file, and
// never closes it. A registry finds it again by device and inode, not by name.
//
// The mapping is larger than the file (1 TiB of address space, or 64 GiB), so that it covers later
// growth. If that much address space is not available, the present size is mapped, and a new
// mapping is made when the file has grown; old ones are kept because readers may still use them.
//
// Thread-safe. Do not use across fork().
class FileMapping final {
 public:
  // The mapping of the file, opened and mapped on first use, never destroyed. Errors:
  // NotFound, InvalidArgument (not a regular file), IoError.
  static Result<FileMapping*> ForFile(const std::string& path);

  // The file's present bytes, at an address that stays valid. Reading them may raise SIGBUS unless
  // an open SQLite transaction prevents the file from being truncated.
  Result<ByteSpan> Bytes();

  // The file's only descriptor, open for writing if permitted. Must not be closed.
  int descriptor() const;
  // The descriptor of ForFile(path), for WriterQueue; -1 if the file cannot be mapped.
  static int DescriptorOf(const std::string& path);

  // True if `path` still names this file, and not another one that was moved there.
  bool IsAt(const std::string& path) const;

  FileMapping(const FileMapping&) = delete;
  FileMapping& operator=(const FileMapping&) = delete;

 private:
  struct State;  // hides Boost
  explicit FileMapping(std::unique_ptr<State> state);
  ~FileMapping();

  std::unique_ptr<State> state_;
};

}  // namespace recall
