#pragma once

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "storage/base/clock.h"

namespace recall {

// A database file as it was at one moment. Every write to the file changes it.
struct FileState {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t bytes = 0;
  UnixNanos modified = 0;  // content
  UnixNanos changed = 0;   // content or properties, by the clock of the system; cannot be set

  static FileState Of(const struct stat& info);
  bool operator==(const FileState&) const = default;
};

// What processes have found out about the pages of a database file, in a file that they share
// (verified_pages.cc). A page that one process has compared with its checksum is not compared by
// the next one, as long as the database file is not written to.
//
// Of each page there is a word of bits, 0 if nothing is known:
//
//   0       the checksum in the page's trailer matches
//   1       the cells lie on the page (CellsLieOnPage)
//   2       the payload of a page of a segment matches its checksum
//   3..32   ordinal of a page of a segment in its chain
//   33..63  id of that segment, 0 if none
//
// Thread-safe.
class VerifiedPages final {
 public:
  static constexpr uint64_t kChecksum = 1;
  static constexpr uint64_t kCells = 2;
  static constexpr uint64_t kPayload = 4;

  // The bits of page `ordinal` of a segment; 0 if a number is too large for them.
  static constexpr uint64_t SegmentPage(int64_t segment, uint32_t ordinal) {
    constexpr int64_t kMostSegments = int64_t{1} << 31;
    constexpr uint32_t kMostOrdinals = uint32_t{1} << 30;
    if (segment <= 0 || segment >= kMostSegments || ordinal >= kMostOrdinals) return 0;
    return static_cast<uint64_t>(segment) << 33 | uint64_t{ordinal} << 3;
  }

  // What is known of this state of a file with pages of this size. `directory` is made if it is
  // missing, and must belong to the user alone. Returns: null if nothing can be shared: if the file
  // was written to within the last kQuiet, so that a later write may have the same times; if it is
  // small; or if the shared file cannot be made.
  static std::unique_ptr<VerifiedPages> Open(const std::string& directory, const FileState& state,
                                             uint32_t page_bytes, UnixNanos now);
  ~VerifiedPages();
  VerifiedPages(const VerifiedPages&) = delete;
  VerifiedPages& operator=(const VerifiedPages&) = delete;

  const FileState& state() const;
  // From then on nothing that was found before counts.
  UnixNanos expires() const;

  // Pages are numbered from 1.
  uint64_t Find(uint32_t page) const {
    return page - 1 < pages_ ? Word(page).load(std::memory_order_relaxed) : 0;
  }
  void Add(uint32_t page, uint64_t bits) const {
    if (page - 1 < pages_) Word(page).fetch_or(bits, std::memory_order_relaxed);
  }

  static constexpr UnixNanos kQuiet = 2'000'000'000;
  static constexpr UnixNanos kLifetime = 3'600'000'000'000;
  static constexpr uint64_t kLeastBytes = uint64_t{16} << 20;

 private:
  struct Header;

  VerifiedPages(void* mapped, size_t bytes);
  static std::unique_ptr<VerifiedPages> Map(int descriptor, const Header& expected);
  std::atomic_ref<uint64_t> Word(uint32_t page) const { return std::atomic_ref(words_[page - 1]); }

  void* mapped_;
  size_t bytes_;
  uint64_t* words_;
  uint64_t pages_;
};

// The VerifiedPages of one file, opened again whenever the file has changed. Belongs to one thread
// at a time.
class VerifiedPagesOfFile final {
 public:
  // "": nothing is shared.
  explicit VerifiedPagesOfFile(std::string directory) : directory_(std::move(directory)) {}

  // What is known of the file as it is now; null if nothing can be. It lives until the next call.
  VerifiedPages* Follow(int descriptor, uint32_t page_bytes);

 private:
  std::string directory_;
  std::unique_ptr<VerifiedPages> pages_;
  FileState failed_;  // the last state of which nothing can be known
};

}  // namespace recall
