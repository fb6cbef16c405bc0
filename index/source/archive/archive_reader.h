#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/source/archive/member_reader.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

struct ArchiveLimits {
  uint64_t max_member_bytes = 0;  // decompressed
  uint64_t max_total_bytes = 0;   // of all members, and of what is decompressed to pass over some
};
// The maximum number of members of an archive: their names are kept in memory.
inline constexpr int64_t kMaxArchiveMembers = 4'000'000;

// Reads an untrusted archive from its beginning to its end, with one member in memory: tar (plain,
// or compressed once with gzip, zstd, xz or bzip2) and zip. Not thread-safe; several readers may be
// used in parallel.
class ArchiveReader final : public MemberReader {
 public:
  // *cancel is checked during long reads; it must outlive the reader. Errors: NotFound, IoError;
  // Corruption for an invalid archive; Unsupported if libarchive is not installed, or for an
  // archive that is compressed more than once.
  static Result<std::unique_ptr<ArchiveReader>> Open(const std::string& path,
                                                     const ArchiveLimits& limits,
                                                     const std::atomic<bool>* cancel);
  ~ArchiveReader() override;
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  // Moves to the next member; false at the end. The unread rest of the last one is skipped. Errors,
  // after which no member follows: Corruption for a damaged or truncated archive, LimitExceeded for
  // too much content, Cancelled, IoError. Messages name the last member.
  Result<bool> Next(ArchiveMember* member) override;

  // The bytes of the member that Next returned, once. Requires: it has no refusal, and is no
  // directory. Errors: LimitExceeded for a member that is too large, Corruption for a damaged one,
  // both of which leave the rest readable; or those of Next, if ended() is true.
  Result<std::string> Read() override;

  // Whether no further member can be read.
  bool ended() const override { return ended_; }

 private:
  class Handle;
  ArchiveReader(std::unique_ptr<Handle> handle, const ArchiveLimits& limits,
                const std::atomic<bool>* cancel);

  Status TooLarge() const;
  Result<bool> AppendBlock(std::string* bytes);
  Status Skip();
  Status CheckSpent();
  Status End(Status status);

  std::unique_ptr<Handle> handle_;
  ArchiveLimits limits_;
  const std::atomic<bool>* cancel_;
  bool compressed_ = false;  // the archive as a whole, not its members
  bool in_member_ = false;
  bool ended_ = false;
  int64_t members_ = 0;
  uint64_t bytes_read_ = 0;  // of members
  std::string last_;         // the last member, printable
};

// The bytes of the last member with this name, which is one of NormalMemberName. `reader` must be
// at its beginning. Errors: NotFound if there is no such file; those of Next and Read.
Result<std::string> ReadLastNamed(MemberReader& reader, std::string_view name);

}  // namespace recall
