#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "storage/base/result.h"
#include "storage/replica/page_source.h"

namespace recall {

// The state of the original after a commit.
struct PageEpoch {
  int64_t number = 0;  // from 1 on, without gaps; 0: none
  int64_t id = 0;      // random: a server that lost commits reuses their numbers
  uint32_t pages = 0;  // the size of the database

  bool operator==(const PageEpoch&) const = default;
};

// The files of a replica (page_source.h), in a directory of their own, shared by all processes of
// the user:
//
//   recall.db      pages at their places, holes for those that are absent
//   recall.pages      0   8  "RCLPAGE3"
//                     8  36  the system's boot id
//                    48   8  epoch of the present pages
//                    56   8  its id
//                    64   4  the number of pages of the database at that epoch
//                    68   4  the number of times that the server had lost the replica's commit
//                    72   8  the number of times that a page became absent
//                  4096      one bit a page, from bit 1 of byte 0 on: it is present
//   recall.lock    held while the files are prepared
//
// Numbers are in the byte order of the machine. Nothing is synchronised with the disk, so the files
// may contradict each other after a crash of the system: if the boot id differs, the replica is
// emptied.
//
// Invariant: a bit is set after its page was written and belongs to the epoch. Before the page or
// the epoch changes, the bit is cleared, and then the counter at 72 is incremented.
//
// Several threads and processes may read and set pages and bits; only one changes the epoch and the
// size (page_source.h). ReadPageOf needs no lock: it is a reader of a seqlock (Boehm, "Can
// seqlocks get along with programming language memory models?", 2012).
class ReplicaFiles final {
 public:
  static constexpr uint32_t kMostPages = uint32_t{1} << 29;  // 32 TiB

  ReplicaFiles() = default;
  ~ReplicaFiles();
  ReplicaFiles(const ReplicaFiles&) = delete;
  ReplicaFiles& operator=(const ReplicaFiles&) = delete;

  // Makes the directory and the files if they are missing. Errors: IoError.
  Status Open(const std::string& directory);
  const std::string& path() const { return path_; }  // of recall.db
  static std::string PathIn(const std::string& directory) { return directory + "/recall.db"; }

  PageEpoch epoch() const;
  // Makes the pages after the first `pages` absent, and truncates or extends the file to `pages`
  // pages. Errors: IoError.
  Status Resize(uint32_t pages);
  void SetEpoch(const PageEpoch& epoch);
  uint32_t losses() const;
  void CountLoss();

  bool IsPresent(uint32_t number) const;
  void SetPresent(uint32_t number, bool present);
  // Read and write a whole page. Return false if the file cannot be read or written.
  bool ReadPage(uint32_t number, std::span<uint8_t> page) const;
  bool WritePage(uint32_t number, std::span<const uint8_t> page);
  // Reads a page as it is at `epoch`. Returns false if it is not present, or changes meanwhile.
  // Requires no lock, in any process.
  bool ReadPageOf(const PageEpoch& epoch, uint32_t number, std::span<uint8_t> page) const;
  // Whether any process, including this one, has one of SQLite's locks on recall.db.
  bool IsInUse() const;
  // Makes all pages absent, and returns their space to the file system.
  void DropAll();
  // Does the same for about half of the pages.
  void DropHalf();
  // Returns the space that recall.db takes on the disk.
  uint64_t AllocatedBytes() const;
  // Returns the length of recall.db in whole pages; 0 if it cannot be determined.
  uint32_t FilePages() const;

 private:
  struct Header;
  void Drop(uint32_t number);
  Status Prepare(const std::string& directory);
  Status BeginAnew(const std::string& directory, const std::string& boot);
  Status CannotUse(const std::string& file) const;

  std::string path_;
  int file_ = -1;
  int map_file_ = -1;
  Header* header_ = nullptr;
  std::atomic<uint8_t>* bits_ = nullptr;
};

}  // namespace recall
