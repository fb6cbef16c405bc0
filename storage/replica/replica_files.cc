#include "storage/replica/replica_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "storage/base/clock.h"
#include "storage/base/file_hints.h"
#include "storage/base/file_locks.h"
#include "storage/base/own_process.h"
#include "storage/base/split_mix.h"

namespace recall {

struct ReplicaFiles::Header {
  char magic[8];
  char boot[36];
  uint32_t unused;
  std::atomic<int64_t> epoch;
  std::atomic<int64_t> id;
  std::atomic<uint32_t> pages;
  std::atomic<uint32_t> losses;
  std::atomic<uint64_t> removals;
};

namespace {

constexpr size_t kMapHeaderBytes = 4096;
constexpr size_t kMapBytes = kMapHeaderBytes + ReplicaFiles::kMostPages / 8 + 1;
constexpr char kMagic[8] = {'R', 'C', 'L', 'P', 'A', 'G', 'E', '3'};
constexpr size_t kBootIdBytes = 36;
constexpr off_t kBytesOfPage = PageSource::kPageBytes;

std::string BootId() {
  std::string id = BootIdentity();
  id.resize(kBootIdBytes);
  return id;
}

int OpenOwn(const std::string& path) {
  return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

off_t OffsetOf(uint32_t number) { return (off_t{number} - 1) * kBytesOfPage; }

}  // namespace

ReplicaFiles::~ReplicaFiles() {
  if (header_ != nullptr) ::munmap(header_, kMapBytes);
  if (file_ >= 0) ::close(file_);
  if (map_file_ >= 0) ::close(map_file_);
}

Status ReplicaFiles::CannotUse(const std::string& file) const {
  return Status::IoError(file + ": " + SystemErrorText(errno),
                         "check the permissions and the free space of the cache directory");
}

Status ReplicaFiles::Open(const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  std::filesystem::permissions(directory, std::filesystem::perms::owner_all, failed);
  const std::string lock_path = directory + "/recall.lock";
  const int lock = OpenOwn(lock_path);
  if (lock < 0) return CannotUse(lock_path);
  const Status prepared = ::flock(lock, LOCK_EX) == 0 ? Prepare(directory) : CannotUse(lock_path);
  ::close(lock);
  return prepared;
}

Status ReplicaFiles::Prepare(const std::string& directory) {
  path_ = PathIn(directory);
  const std::string map_path = directory + "/recall.pages";
  file_ = OpenOwn(path_);
  if (file_ < 0) return CannotUse(path_);
  map_file_ = OpenOwn(map_path);
  if (map_file_ < 0 || ::ftruncate(map_file_, kMapBytes) != 0) return CannotUse(map_path);
  void* const map = ::mmap(nullptr, kMapBytes, PROT_READ | PROT_WRITE, MAP_SHARED, map_file_, 0);
  if (map == MAP_FAILED) return CannotUse(map_path);
  header_ = static_cast<Header*>(map);
  static_assert(offsetof(Header, epoch) == 48 && offsetof(Header, removals) == 72);
  static_assert(
      std::atomic<int64_t>::is_always_lock_free);  // a lock would not work across processes
  bits_ = reinterpret_cast<std::atomic<uint8_t>*>(static_cast<uint8_t*>(map) + kMapHeaderBytes);
  const std::string boot = BootId();
  const bool fits = std::memcmp(header_->magic, kMagic, sizeof(kMagic)) == 0 &&
                    std::memcmp(header_->boot, boot.data(), boot.size()) == 0;
  return fits ? Status::Ok() : BeginAnew(directory, boot);
}

// Empties the files. No other process can use them, because none has since the system was started.
Status ReplicaFiles::BeginAnew(const std::string& directory, const std::string& boot) {
  if (::ftruncate(map_file_, 0) != 0 || ::ftruncate(map_file_, kMapBytes) != 0 ||
      ::ftruncate(file_, 0) != 0) {
    return CannotUse(directory);
  }
  ::unlink((directory + "/recall.db-journal").c_str());
  std::memcpy(header_->boot, boot.data(), boot.size());
  std::memcpy(header_->magic, kMagic, sizeof(kMagic));
  return Status::Ok();
}

PageEpoch ReplicaFiles::epoch() const { return {header_->epoch, header_->id, header_->pages}; }

Status ReplicaFiles::Resize(uint32_t pages) {
  for (uint32_t number = pages + 1; number <= header_->pages; ++number) SetPresent(number, false);
  return ::ftruncate(file_, OffsetOf(pages + 1)) == 0 ? Status::Ok() : CannotUse(path_);
}

void ReplicaFiles::SetEpoch(const PageEpoch& epoch) {
  header_->pages = epoch.pages;
  header_->id = epoch.id;
  header_->epoch = epoch.number;
}

uint32_t ReplicaFiles::losses() const { return header_->losses; }
void ReplicaFiles::CountLoss() { ++header_->losses; }

bool ReplicaFiles::IsPresent(uint32_t number) const {
  return number != 0 && number <= kMostPages &&
         (bits_[number / 8].load(std::memory_order_acquire) >> number % 8 & 1) != 0;
}

void ReplicaFiles::SetPresent(uint32_t number, bool present) {
  if (number > kMostPages) return;
  const auto bit = static_cast<uint8_t>(1 << number % 8);
  if (present) {
    bits_[number / 8].fetch_or(bit, std::memory_order_release);
  } else {
    bits_[number / 8].fetch_and(static_cast<uint8_t>(~bit));
    ++header_->removals;
  }
}

bool ReplicaFiles::ReadPage(uint32_t number, std::span<uint8_t> page) const {
  return ::pread(file_, page.data(), page.size(), OffsetOf(number)) ==
         static_cast<ssize_t>(page.size());
}

bool ReplicaFiles::WritePage(uint32_t number, std::span<const uint8_t> page) {
  return ::pwrite(file_, page.data(), page.size(), OffsetOf(number)) ==
         static_cast<ssize_t>(page.size());
}

bool ReplicaFiles::ReadPageOf(const PageEpoch& at, uint32_t number, std::span<uint8_t> page) const {
  const uint64_t removals = header_->removals;
  return IsPresent(number) && epoch() == at && ReadPage(number, page) &&
         header_->removals == removals;
}

// SQLite's locks lie on the bytes from the pending byte on (https://sqlite.org/lockingv3.html).
// The locks of this process count, too, where the system sees them (storage/base/file_locks.h).
bool ReplicaFiles::IsInUse() const {
  constexpr off_t kPendingByte = 0x40000000;
  constexpr off_t kLockBytes = 2 + 510;
  return AreBytesLocked(file_, kPendingByte, kLockBytes);
}

// If the file system does not support holes, the bytes stay, which is harmless.
void ReplicaFiles::Drop(uint32_t number) {
  SetPresent(number, false);
  FreeBytes(file_, OffsetOf(number), kBytesOfPage);
}

void ReplicaFiles::DropAll() {
  for (uint32_t number = 1; number <= header_->pages; ++number) {
    if (IsPresent(number)) Drop(number);
  }
}

// Pages are chosen at random, because only the system knows which ones were used recently.
void ReplicaFiles::DropHalf() {
  SplitMix64 random(static_cast<uint64_t>(WallClockNanos()));
  for (uint32_t number = 1; number <= header_->pages; ++number) {
    if (IsPresent(number) && random.Next() % 2 == 0) Drop(number);
  }
}

uint64_t ReplicaFiles::AllocatedBytes() const {
  constexpr uint64_t kBlockBytes = 512;  // stat(2)
  struct stat info;
  return ::fstat(file_, &info) == 0 ? static_cast<uint64_t>(info.st_blocks) * kBlockBytes : 0;
}

uint32_t ReplicaFiles::FilePages() const {
  struct stat info;
  return ::fstat(file_, &info) == 0 ? static_cast<uint32_t>(info.st_size / kBytesOfPage) : 0;
}

}  // namespace recall
