#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/clock.h"
#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

struct ArchiveLimits {
  uint64_t max_member_bytes = 0;  // decompressed
  uint64_t max_total_bytes = 0;   // of all that has to be decompressed
};
// An archive has no more members than this: their names are kept in memory.
inline constexpr int64_t kMaxArchiveMembers = 4'000'000;

// What an archive says of one of its members.
struct ArchiveMember {
  std::string name;   // as NormalMemberName has it; "" when that refuses it
  std::string shown;  // as the archive has it, printable
  bool is_directory = false;
  std::string refusal;  // why it cannot be read: it is a link, its name is absolute, ...; else ""
  std::optional<UnixNanos> mtime;
};

// Reads an archive nobody vouched for, from its beginning to its end, one member in memory: tar
// (plain, or compressed once with gzip or zstd) and zip. Not thread-safe; two of them are.
class ArchiveReader final {
 public:
  // *cancel is looked at while much is read; it must outlive the reader.
  // Errors: NotFound, IoError; Corruption for what is no such archive; Unsupported where libarchive
  // is not installed, or for an archive that is compressed more than once.
  static Result<std::unique_ptr<ArchiveReader>> Open(const std::string& path,
                                                     const ArchiveLimits& limits,
                                                     const std::atomic<bool>* cancel);
  // The same of bytes, which must outlive it.
  static Result<std::unique_ptr<ArchiveReader>> OpenBytes(ByteSpan bytes,
                                                          const ArchiveLimits& limits,
                                                          const std::atomic<bool>* cancel);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  // Goes to the next member; false at the end. What was not read of the last one is passed over.
  // Errors, after which there is nothing more: Corruption for a damaged or truncated archive,
  // LimitExceeded for one that holds too much, Cancelled, IoError. They say after which member.
  Result<bool> Next(ArchiveMember* member);

  // The bytes of the member that Next gave last, once. Requires: it has no refusal, and is no
  // directory. Errors: LimitExceeded for a member that is too large, Corruption for one that is
  // damaged, each leaving the rest readable; or those of Next, when ended().
  Result<std::string> Read();

  // Whether there is nothing more to be read.
  bool ended() const { return ended_; }

 private:
  class Handle;
  ArchiveReader(std::unique_ptr<Handle> handle, const ArchiveLimits& limits,
                const std::atomic<bool>* cancel);

  static Result<std::unique_ptr<ArchiveReader>> Start(std::unique_ptr<Handle> handle, int opened,
                                                      const ArchiveLimits& limits,
                                                      const std::atomic<bool>* cancel);
  Status Skip();
  Status CheckSpent();
  Status End(Status status);

  std::unique_ptr<Handle> handle_;
  ArchiveLimits limits_;
  const std::atomic<bool>* cancel_;
  bool compressed_ = false;  // as a whole
  bool in_member_ = false;
  bool ended_ = false;
  int64_t members_ = 0;
  uint64_t bytes_read_ = 0;  // of members
  std::string last_;         // member, as shown
};

// The bytes of the last member of that name, as documents have names.
// Errors: NotFound when there is no archive or no such file in it; else as above.
Result<std::string> ReadArchiveMember(const std::string& archive, std::string_view name,
                                      const ArchiveLimits& limits);

}  // namespace recall
