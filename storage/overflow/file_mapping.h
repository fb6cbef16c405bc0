#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// A file mapped read-only for as long as the process lives.
//
// POSIX record locks belong to the pair (process, inode): closing any descriptor of a database
// drops all locks SQLite holds on it, and another process may then write under an open read
// transaction. So each file gets exactly one descriptor of ours, opened before SQLite opens the
// file and never closed; the registry finds it again by device and inode, not by name.
//
// The mapping is larger than the file (1 TiB of address space, or 64 GiB), so it shows what the
// file grows by. Where so much address space is not to be had the file's own size is mapped and a
// new mapping is made when it has grown; old ones stay, since readers may still look at them.
//
// Thread-safe. Do not use across fork().
class FileMapping final {
 public:
  // The mapping of the file that `path` names now; opened and mapped on first use. Never destroyed.
  // Errors: NotFound, InvalidArgument for what is not a regular file, IoError.
  static Result<FileMapping*> ForFile(const std::string& path);

  // The file's bytes: those of now, at an address that stays valid. Reading them may raise SIGBUS
  // unless an open SQLite transaction keeps the file from being truncated.
  Result<ByteSpan> Bytes();

  // The one descriptor: open for writing where that is allowed. Must not be closed.
  int descriptor() const;
  // That of ForFile(path), for WriterQueue; -1 where the file cannot be mapped.
  static int DescriptorOf(const std::string& path);

  // True when `path` still names this file (and not another that was moved there).
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
