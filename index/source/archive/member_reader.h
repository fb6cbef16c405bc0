#pragma once

#include <optional>
#include <string>

#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// The metadata of a member.
struct ArchiveMember {
  std::string name;   // by NormalMemberName; "" if the name is refused
  std::string shown;  // the name in the archive, printable
  bool is_directory = false;
  std::string refusal;  // the reason why it cannot be read (a link, an absolute name, ...); else ""
  std::optional<UnixNanos> mtime;
};

// Reads a file that contains other files, an archive or a mailbox, from its beginning to its end.
// Not thread-safe.
class MemberReader {
 public:
  virtual ~MemberReader() = default;

  // Moves to the next member; false at the end. After an error no member follows.
  virtual Result<bool> Next(ArchiveMember* member) = 0;
  // The bytes of the member that Next returned, once. Requires: it has no refusal, and is no
  // directory. An error leaves the rest readable, unless ended() is true.
  virtual Result<std::string> Read() = 0;
  // Whether no further member can be read.
  virtual bool ended() const = 0;
};

}  // namespace recall
