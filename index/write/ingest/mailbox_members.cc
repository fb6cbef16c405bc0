#include "index/write/ingest/mailbox_members.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "index/source/archive/archive_names.h"
#include "index/source/extract/mail/mail_extract.h"

namespace recall {

MailboxMembers::MailboxMembers(FileDescriptor file, const ArchiveLimits& limits,
                               const std::atomic<bool>* cancel)
    : file_(std::move(file)),
      input_(file_.get()),
      reader_(&input_, limits.max_member_bytes),
      limits_(limits),
      cancel_(cancel) {}

Result<std::unique_ptr<MemberReader>> MailboxMembers::Open(const std::string& path,
                                                           const ArchiveLimits& limits,
                                                           const std::atomic<bool>* cancel) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    const std::string message = SystemErrorText(errno);
    return Fail(missing ? Status::NotFound(message) : Status::IoError(message));
  }
  return std::unique_ptr<MemberReader>(new MailboxMembers(std::move(file), limits, cancel));
}

Result<bool> MailboxMembers::Next(ArchiveMember* member) {
  if (cancel_->load(std::memory_order_relaxed)) {
    ended_ = true;
    return Fail(Status::Cancelled("interrupted"));
  }
  const Result<bool> more = reader_.Next(&piece_);
  ended_ = !more || !*more;
  if (ended_) return more;
  if (piece_.offset + piece_.length > limits_.max_total_bytes) {
    ended_ = true;
    return Fail(Status::LimitExceeded(
        "it has more than " + std::to_string(limits_.max_total_bytes) + " bytes",
        "raise --max-archive-size"));
  }
  *member = ArchiveMember();
  if (piece_.kind == MboxPieceKind::kDamaged) {
    member->shown = "byte " + std::to_string(piece_.offset);
    member->refusal = "there is no message before the first line that begins with \"From \"";
    return true;
  }
  member->name = names_.Next(MailMessageId(piece_.bytes)) + ".eml";
  member->shown = member->name;
  if (piece_.kind == MboxPieceKind::kTooLarge) {
    member->refusal = "its " + std::to_string(piece_.length) + " bytes exceed the limit of " +
                      std::to_string(limits_.max_member_bytes);
  }
  return true;
}

Result<std::unique_ptr<MemberReader>> OpenMembers(const std::string& path,
                                                  const ArchiveLimits& limits,
                                                  const std::atomic<bool>* cancel) {
  if (IsMailboxName(path)) return MailboxMembers::Open(path, limits, cancel);
  RECALL_ASSIGN(std::unique_ptr<ArchiveReader> reader, ArchiveReader::Open(path, limits, cancel));
  return std::unique_ptr<MemberReader>(std::move(reader));
}

Result<std::string> ReadMember(const std::string& path, std::string_view name,
                               const ArchiveLimits& limits) {
  const std::atomic<bool> never = false;
  RECALL_ASSIGN(const auto reader, OpenMembers(path, limits, &never));
  return ReadLastNamed(*reader, name);
}

}  // namespace recall
