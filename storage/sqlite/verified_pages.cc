// Shares between processes which pages of a store are intact.
//
// Problem. A process compares each page with its checksum when it first reads it, and examines its
// cells (page_vfs.cc). A search as a process of its own reads some hundred pages of 64 KiB for a
// few records on each, so it reads thirty megabytes from memory only to find, like all processes
// before it, that they are intact. It also reads the headers of a thousand pages of segments
// (PageLocator) to find that they are where they were.
//
// Idea. A file in a directory of the user has a word for each page of the store, with the bits of
// what was found out. Processes map it and set bits. It is bound to one state of the store's file:
//
//   0   8  "RECALLVP"
//   8   4  version of this layout
//   12  4  page size
//   16  8  device, inode, bytes, time of modification, time of change of the store's file
//   56  8  time when the file was made, as all times in nanoseconds since 1970
//   64  8  word of page 1
//   72  8  word of page 2 ...
//
// Integers have the byte order of the machine: the file does not leave it.
//
// Invariants.
// - A bit is true of the bytes that the store's file had in this state. Every write to a file
//   changes the times in its inode, and nobody can set the time of change. Two writes within one
//   tick of the clock may leave the same times, so a state counts only when it is kQuiet old.
// - Words only gain bits. A file of another state is replaced by renaming, never changed, because
//   processes may still have it mapped.
// - A reader's transaction may last longer than a state. Nothing is wrong then: while it is open,
//   SQLite changes no page of the main file that it can read (checkpointed_snapshot.cc).
// - All words are written when the file is made, because storing into a hole of a mapped file
// raises
//   SIGBUS if the disk is full.
// - Damage that happens to a page after it was found intact is noticed only when the file expires,
//   kLifetime after it was made, as a process notices it only if it has not read the page before.
//
// Cost: 8 bytes a page, of which the pages in use are in memory; to open it some 20 microseconds.

#include "storage/sqlite/verified_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "storage/base/file_times.h"
#include "storage/base/private_directory.h"
#include "storage/base/write_whole.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

constexpr char kSharedMagic[8] = {'R', 'E', 'C', 'A', 'L', 'L', 'V', 'P'};
constexpr uint32_t kLayoutVersion = 1;

std::string NameFor(const std::string& directory, const FileState& state) {
  char name[64];
  std::snprintf(name, sizeof(name), "/pages-%llx-%llx",
                static_cast<unsigned long long>(state.device),
                static_cast<unsigned long long>(state.inode));
  return directory + name;
}

// Whether the file is one that this user alone may have made or changed.
bool IsOwn(const struct stat& info) {
  return S_ISREG(info.st_mode) && info.st_uid == ::geteuid() && (info.st_mode & 077) == 0;
}

}  // namespace

struct VerifiedPages::Header {
  char magic[8];
  uint32_t version;
  uint32_t page_bytes;
  FileState state;
  UnixNanos made;

  uint64_t pages() const { return state.bytes / page_bytes; }
  size_t file_bytes() const { return sizeof(Header) + pages() * sizeof(uint64_t); }
  bool IsOfSameFile(const Header& other) const {
    return std::memcmp(magic, other.magic, sizeof(magic)) == 0 && version == other.version &&
           page_bytes == other.page_bytes && state == other.state;
  }
};

FileState FileState::Of(const struct stat& info) {
  return {.device = static_cast<uint64_t>(info.st_dev),
          .inode = static_cast<uint64_t>(info.st_ino),
          .bytes = static_cast<uint64_t>(info.st_size),
          .modified = ModifiedNanos(info),
          .changed = ChangedNanos(info)};
}

VerifiedPages::VerifiedPages(void* mapped, size_t bytes)
    : mapped_(mapped),
      bytes_(bytes),
      words_(reinterpret_cast<uint64_t*>(static_cast<uint8_t*>(mapped) + sizeof(Header))),
      pages_((bytes - sizeof(Header)) / sizeof(uint64_t)) {}

VerifiedPages::~VerifiedPages() { ::munmap(mapped_, bytes_); }

const FileState& VerifiedPages::state() const { return static_cast<Header*>(mapped_)->state; }

UnixNanos VerifiedPages::expires() const { return static_cast<Header*>(mapped_)->made + kLifetime; }

// Maps the file if it is of the expected state and has not expired at the time of `expected`.
std::unique_ptr<VerifiedPages> VerifiedPages::Map(int descriptor, const Header& expected) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0 || !IsOwn(info) ||
      static_cast<uint64_t>(info.st_size) != expected.file_bytes()) {
    return nullptr;
  }
  void* const mapped =
      ::mmap(nullptr, expected.file_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return nullptr;
  std::unique_ptr<VerifiedPages> pages(new VerifiedPages(mapped, expected.file_bytes()));
  const Header& found = *static_cast<Header*>(mapped);
  const bool counts = found.made <= expected.made && expected.made < found.made + kLifetime;
  return found.IsOfSameFile(expected) && counts ? std::move(pages) : nullptr;
}

std::unique_ptr<VerifiedPages> VerifiedPages::Open(const std::string& directory,
                                                   const FileState& state, uint32_t page_bytes,
                                                   UnixNanos now) {
  static_assert(sizeof(Header) == 64);
  if (page_bytes == 0 || state.bytes < kLeastBytes || now - state.changed < kQuiet ||
      now - state.modified < kQuiet || !MakePrivateDirectory(directory)) {
    return nullptr;
  }
  Header header{{}, kLayoutVersion, page_bytes, state, now};
  std::memcpy(header.magic, kSharedMagic, sizeof(kSharedMagic));
  const std::string path = NameFor(directory, state);
  const FileDescriptor present(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (present.get() >= 0) {
    if (auto pages = Map(present.get(), header)) return pages;
  }
  const std::string made_as = path + "." + std::to_string(::getpid());
  const FileDescriptor made(
      ::open(made_as.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (made.get() < 0) {
    ::unlink(made_as.c_str());  // a killed process with the same number left it
    return nullptr;
  }
  std::string content(header.file_bytes(), 0);
  std::memcpy(content.data(), &header, sizeof(header));
  const bool complete =
      WriteWhole(made.get(), content) && ::rename(made_as.c_str(), path.c_str()) == 0;
  if (!complete) ::unlink(made_as.c_str());
  return complete ? Map(made.get(), header) : nullptr;
}

VerifiedPages* VerifiedPagesOfFile::Follow(int descriptor, uint32_t page_bytes) {
  struct stat info {};
  if (directory_.empty() || ::fstat(descriptor, &info) != 0) return nullptr;
  const FileState state = FileState::Of(info);
  const UnixNanos now = WallClockNanos();
  if (pages_ != nullptr && pages_->state() == state && now < pages_->expires()) return pages_.get();
  if (pages_ == nullptr && failed_ == state) return nullptr;
  pages_ = VerifiedPages::Open(directory_, state, page_bytes, now);
  // A file that was written to just now may be quiet at the next call.
  if (pages_ == nullptr && now - state.changed >= VerifiedPages::kQuiet) failed_ = state;
  return pages_.get();
}

}  // namespace recall
