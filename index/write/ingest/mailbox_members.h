#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "index/source/archive/archive_reader.h"
#include "index/source/archive/member_reader.h"
#include "index/source/extract/mail/mbox_reader.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {

// The messages of a mailbox as its members: "ID.eml", by their message ids (MboxNames). One message
// is in memory at a time.
class MailboxMembers final : public MemberReader {
 public:
  // *cancel is checked for each message; it must outlive the reader. Errors: NotFound, IoError.
  static Result<std::unique_ptr<MemberReader>> Open(const std::string& path,
                                                    const ArchiveLimits& limits,
                                                    const std::atomic<bool>* cancel);

  // Errors: Cancelled; LimitExceeded beyond limits.max_total_bytes; IoError.
  Result<bool> Next(ArchiveMember* member) override;
  Result<std::string> Read() override { return std::move(piece_.bytes); }
  bool ended() const override { return ended_; }

 private:
  MailboxMembers(FileDescriptor file, const ArchiveLimits& limits, const std::atomic<bool>* cancel);

  FileDescriptor file_;
  FileMboxInput input_;
  MboxReader reader_;
  ArchiveLimits limits_;
  const std::atomic<bool>* cancel_;
  MboxNames names_;
  MboxPiece piece_;
  bool ended_ = false;
};

// Opens an archive, or a mailbox by its name. Errors: those of ArchiveReader::Open.
Result<std::unique_ptr<MemberReader>> OpenMembers(const std::string& path,
                                                  const ArchiveLimits& limits,
                                                  const std::atomic<bool>* cancel);

// The bytes of a member of an archive or a mailbox. Errors: those of OpenMembers and
// ReadLastNamed.
Result<std::string> ReadMember(const std::string& path, std::string_view name,
                               const ArchiveLimits& limits);

}  // namespace recall
