#include "index/source/archive/archive_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/source/archive/archive_library.h"
#include "index/source/archive/archive_names.h"
#include "storage/base/thread_locale.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// The problem: archives are untrusted input. A file of a few kilobytes can decompress to terabytes,
// and member names can point outside the archive ("../../etc/passwd").
//
// The reader streams an archive once from beginning to end, with one member in memory:
//
//   file -> filter (gzip | zstd | xz | bzip2 | none) -> format (tar | zip) -> Next / Read -> bytes
//   of a member
//
// These limits bound the work for any archive:
// - At most one compression filter around the format; nested ones multiply the expansion.
// - max_member_bytes of one member. The declared size is checked first, then the bytes read.
// - max_total_bytes of all decompressed bytes. A compressed tar must be decompressed completely,
//   even where members are skipped, so skipping is counted and interruptible, too. In a zip only
//   the members that are read are decompressed.
// - Holes of sparse files count as bytes, because they are materialised as zeros.
// - At most kMaxArchiveMembers members.
// - Only regular files are read. Links, devices and encrypted members are refused with a reason,
//   and names are normalised or refused (archive_names.h).
//
// An error of the archive ends it (ended()); members before the damage were returned. An error of
// one member leaves the rest readable. Messages name the member that was reached.
//
// libarchive converts names through the locale of the thread. Utf8Names switches that to C.UTF-8
// for each call, so names do not depend on the user's locale.

constexpr size_t kReadBlockBytes = 256 << 10;
// The filter "none" and one that decompresses. With more, a few bytes can expand enormously.
constexpr int kMostFilters = 2;

// Switches the thread to C.UTF-8 while it exists.
class Utf8Names final {
 public:
  Utf8Names() {
    static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    if (utf8 != nullptr) before_ = ::uselocale(utf8);
  }
  ~Utf8Names() {
    if (before_ != nullptr) ::uselocale(before_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;

 private:
  locale_t before_ = nullptr;
};

std::optional<UnixNanos> TimeOf(const ArchiveLibrary& library, archive_entry* entry) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  constexpr int64_t kMaxSeconds = INT64_MAX / kNanosPerSecond - 1;
  if (library.mtime_is_set(entry) == 0) return std::nullopt;
  const int64_t seconds = library.mtime(entry);
  const int64_t nanos = library.mtime_nsec(entry);
  if (seconds > kMaxSeconds || seconds < -kMaxSeconds) return std::nullopt;
  return seconds * kNanosPerSecond + std::clamp<int64_t>(nanos, 0, kNanosPerSecond - 1);
}

// Returns the reason why a member that is no directory cannot be read; "" if it can be.
std::string RefusalOf(const ArchiveLibrary& library, archive_entry* entry) {
  if (library.hardlink(entry) != nullptr) return "it is a hard link";
  switch (library.filetype(entry)) {
    case AE_IFREG:
      return library.is_encrypted(entry) != 0 ? "it is encrypted" : "";
    case AE_IFLNK:
      return "it is a symbolic link";
    case AE_IFCHR:
    case AE_IFBLK:
      return "it is a device";
    default:
      return "it is neither a file nor a directory";
  }
}

ArchiveMember MemberOf(const ArchiveLibrary& library, archive_entry* entry) {
  ArchiveMember member;
  const char* name = library.pathname_utf8(entry);
  // Names that are not UTF-8 are available only as bytes.
  if (name == nullptr) name = library.pathname(entry);
  const std::string_view raw = name != nullptr ? name : "";
  member.shown = PrintablePath(raw.substr(0, 4096));
  member.mtime = TimeOf(library, entry);
  Result<std::string> normal = NormalMemberName(raw);
  member.is_directory = library.hardlink(entry) == nullptr && library.filetype(entry) == AE_IFDIR;
  if (normal) {
    member.name = std::move(*normal);
    if (!member.is_directory) member.refusal = RefusalOf(library, entry);
  } else {
    member.refusal = std::string(normal.error().message());
  }
  return member;
}

}  // namespace

// Owns the file, and the handle by which libarchive reads it.
class ArchiveReader::Handle final {
 public:
  Handle(const ArchiveLibrary* with, int fd)
      : library(*with), file(fd), archive(library.read_new()) {}
  ~Handle() {
    if (archive != nullptr) library.read_free(archive);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  static Result<std::unique_ptr<Handle>> Make(int fd) {
    const ArchiveLibrary* const library = ArchiveLibrary::Get();
    auto handle = library != nullptr ? std::make_unique<Handle>(library, fd) : nullptr;
    if (handle == nullptr) {
      ::close(fd);
      return Fail(Status::Unsupported("libarchive, which archives need, cannot be loaded",
                                      "install it: apt install libarchive13"));
    }
    struct archive* const a = handle->archive;
    if (a == nullptr || library->support_gzip(a) != ARCHIVE_OK ||
        library->support_zstd(a) != ARCHIVE_OK || library->support_xz(a) != ARCHIVE_OK ||
        library->support_bzip2(a) != ARCHIVE_OK || library->support_tar(a) != ARCHIVE_OK ||
        library->support_zip(a) != ARCHIVE_OK) {
      return Fail(Status::Unsupported(
          "this version of libarchive cannot read tar, zip, gzip, zstd, xz and bzip2"));
    }
    return handle;
  }

  std::string Fault() const {
    const char* text = library.error_string(archive);
    return text != nullptr && *text != '\0' ? PrintablePath(text) : "it cannot be read";
  }

  const ArchiveLibrary& library;
  FileDescriptor file;
  struct archive* archive;
  archive_entry* entry = nullptr;
};

ArchiveReader::ArchiveReader(std::unique_ptr<Handle> handle, const ArchiveLimits& limits,
                             const std::atomic<bool>* cancel)
    : handle_(std::move(handle)), limits_(limits), cancel_(cancel) {}

ArchiveReader::~ArchiveReader() = default;

Result<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(const std::string& path,
                                                           const ArchiveLimits& limits,
                                                           const std::atomic<bool>* cancel) {
  const Utf8Names names;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info = {};
  if (fd < 0 || ::fstat(fd, &info) != 0) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    const bool missing = error == ENOENT || error == ENOTDIR;
    return Fail(missing ? Status::NotFound(SystemErrorText(error))
                        : Status::IoError(SystemErrorText(error)));
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return Fail(Status::Corruption("it is not a regular file"));
  }
  RECALL_ASSIGN(auto handle, Handle::Make(fd));
  const int opened = handle->library.open_fd(handle->archive, fd, kReadBlockBytes);
  if (opened != ARCHIVE_OK) {
    return Fail(
        Status::Corruption("it is not a supported archive: " + handle->Fault(),
                           "supported archives are tar, tar.gz, tar.zst, tar.xz, tar.bz2 and zip"));
  }
  const int filters = handle->library.filter_count(handle->archive);
  if (filters > kMostFilters) {
    return Fail(Status::Unsupported("it is compressed more than once"));
  }
  std::unique_ptr<ArchiveReader> reader(new ArchiveReader(std::move(handle), limits, cancel));
  reader->compressed_ = filters > 1;
  return reader;
}

// Ends the archive. Returns the error with the name of the member that was reached.
Status ArchiveReader::End(Status status) {
  ended_ = true;
  if (last_.empty()) return status;
  const char* const where = in_member_ ? " (in " : " (after ";
  return Status(status.code(), std::string(status.message()) + where + last_ + ")",
                std::string(status.hint()));
}

Status ArchiveReader::CheckSpent() {
  if (cancel_->load(std::memory_order_relaxed)) return End(Status::Cancelled("interrupted"));
  // All of a compressed tar is decompressed, even members that are skipped; of a zip only the
  // members that are read.
  const auto whole = static_cast<uint64_t>(
      std::max<int64_t>(handle_->library.filter_bytes(handle_->archive, 0), 0));
  const uint64_t spent = compressed_ ? std::max(whole, bytes_read_) : bytes_read_;
  if (spent <= limits_.max_total_bytes) return Status::Ok();
  return End(Status::LimitExceeded(
      "its contents exceed the limit of " + std::to_string(limits_.max_total_bytes) + " bytes",
      "--max-archive-size raises the limit"));
}

// Skips the rest of a member, without decompressing it if the format permits.
Status ArchiveReader::Skip() {
  if (!in_member_) return Status::Ok();
  int code = compressed_ ? ARCHIVE_OK : handle_->library.data_skip(handle_->archive);
  while (compressed_ && code == ARCHIVE_OK) {
    const void* block = nullptr;
    size_t size = 0;
    int64_t offset = 0;
    code = handle_->library.data_block(handle_->archive, &block, &size, &offset);
    RECALL_TRY(CheckSpent());
  }
  if (code == ARCHIVE_FATAL) return End(Status::Corruption(handle_->Fault()));
  in_member_ = false;
  return CheckSpent();
}

Result<bool> ArchiveReader::Next(ArchiveMember* member) {
  if (ended_) return false;
  const Utf8Names names;
  RECALL_TRY(Skip());
  const int code = handle_->library.next_header(handle_->archive, &handle_->entry);
  if (code == ARCHIVE_EOF) {
    ended_ = true;
    return false;
  }
  if (code != ARCHIVE_OK && code != ARCHIVE_WARN) {
    return Fail(End(Status::Corruption(handle_->Fault())));
  }
  RECALL_TRY(CheckSpent());
  if (++members_ > kMaxArchiveMembers) {
    return Fail(End(Status::LimitExceeded("it has more than " + std::to_string(kMaxArchiveMembers) +
                                          " members")));
  }
  *member = MemberOf(handle_->library, handle_->entry);
  last_ = member->shown;
  in_member_ = true;
  return true;
}

Status ArchiveReader::TooLarge() const {
  return Status::LimitExceeded(
      "its size exceeds the limit of " + std::to_string(limits_.max_member_bytes),
      "--max-file-size raises the limit");
}

// Appends the next block of the member. Returns false at its end.
Result<bool> ArchiveReader::AppendBlock(std::string* bytes) {
  const void* block = nullptr;
  size_t size = 0;
  int64_t offset = 0;
  const int code = handle_->library.data_block(handle_->archive, &block, &size, &offset);
  if (code == ARCHIVE_FATAL) return Fail(End(Status::Corruption(handle_->Fault())));
  if (code != ARCHIVE_OK && code != ARCHIVE_EOF) {
    return Fail(Status::Corruption("it is damaged: " + handle_->Fault()));
  }
  RECALL_TRY(CheckSpent());
  if (code == ARCHIVE_EOF) return false;
  // The gaps between blocks and after the last one are holes: zeros that were not stored.
  const auto begin = static_cast<uint64_t>(std::max<int64_t>(offset, 0));
  if (begin < bytes->size()) return Fail(Status::Corruption("it is damaged: its parts overlap"));
  if (begin > limits_.max_member_bytes || size > limits_.max_member_bytes - begin) {
    return Fail(TooLarge());
  }
  // Holes count, because they take as much memory as data.
  bytes_read_ += begin + size - bytes->size();
  bytes->resize(begin);
  bytes->append(static_cast<const char*>(block), size);
  return true;
}

Result<std::string> ArchiveReader::Read() {
  const ArchiveLibrary& library = handle_->library;
  std::optional<uint64_t> declared;
  if (library.size_is_set(handle_->entry) != 0) {
    declared = static_cast<uint64_t>(library.size(handle_->entry));
  }
  if (declared.value_or(0) > limits_.max_member_bytes) return Fail(TooLarge());
  std::string bytes;
  for (bool more = true; more;) {
    RECALL_ASSIGN(more, AppendBlock(&bytes));
  }
  in_member_ = false;
  // The file ends with a hole if the blocks are shorter; missing data would have been an error.
  const uint64_t whole = declared.value_or(bytes.size());
  if (whole <= bytes.size()) return bytes;
  bytes_read_ += whole - bytes.size();
  RECALL_TRY(CheckSpent());
  bytes.resize(whole);
  return bytes;
}

Result<std::string> ReadLastNamed(MemberReader& reader, std::string_view name) {
  std::optional<std::string> found;
  ArchiveMember member;
  for (;;) {
    RECALL_ASSIGN(const bool more, reader.Next(&member));
    if (!more) break;
    if (member.is_directory || member.name != name) continue;
    found.reset();
    if (!member.refusal.empty()) continue;
    RECALL_ASSIGN(found, reader.Read());
  }
  if (found) return *std::move(found);
  return Fail(Status::NotFound("the archive does not contain this file"));
}

}  // namespace recall
