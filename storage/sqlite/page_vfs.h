#pragma once

#include <atomic>
#include <cstdint>
#include <set>
#include <span>

#include "storage/base/page_verification.h"

struct sqlite3;

namespace recall {

class VerifiedPages;

// The name of a VFS that adds checksums to the pages of stores (page_checksum.h). It wraps the VFS
// that is the default when a file is opened. Registered by the first call; thread-safe.
const char* PageVfs();

// The main file of a connection that was opened with PageVfs().
//
// - A page that is read is compared with its checksum; a difference is SQLITE_CORRUPT. So is a page
//   without a checksum, unless page 1 shows that a program other than Recall copied pages out of a
//   WAL, or unless nothing was ever written to it.
// - A page that is written receives its checksum, if the file's header says that pages have room
//   for one.
// - Exactly the pages that are needed are requested from the system when SQLite first accesses them
//   in its mapping (PRAGMA mmap_size). A plain page fault reads as much around a page as the disk's
//   read-ahead allows: 128 KiB by default, 8 MiB on some machines.
//
// Not thread-safe, like the connection, which owns it.
class PageFile {
 public:
  // Null if the connection has another VFS or no file.
  static PageFile* Of(sqlite3* connection);

  virtual void SetVerification(PageVerification when) = 0;

  // Pages of the mapping that `pages` records as verified are not checked again, and pages that are
  // checked are recorded there. Null: neither. `pages` must live until the next call, and describe
  // the file as the present transaction sees it. Ignored with PageVerification::kAlways and kNever.
  virtual void ShareVerification(const VerifiedPages* pages) = 0;

  // From now on the cells of each page are examined once, and whenever the page is read by copy
  // (CellsLieOnPage): a damaged page is SQLITE_CORRUPT. SQLite's own check (PRAGMA cell_size_check)
  // examines all cells, about a thousand, each time a statement accesses a mapped page. Returns
  // false, and does nothing, if the kind of a page cannot be determined: in an empty file and in
  // one of more than 2^24 pages.
  virtual bool CheckCells() = 0;

  // Once *stop is true, reading a page by copy fails with SQLITE_INTERRUPT. Null: never. It must
  // outlive the file, or the next call.
  virtual void StopReading(const std::atomic<bool>* stop) = 0;

  // Pages have room for checksums from now on, whatever the header says: it is about to be written.
  virtual void ExpectChecksums() = 0;

  // Whether page 1 shows that pages without checksums may be the work of another program. False if
  // it cannot be read.
  virtual bool AcceptsUnsealed() const = 0;
  // Now every page has a checksum. So from the next time that page 1 is written, pages without one
  // are damaged. Requires: the write lock.
  virtual void StopAcceptingUnsealed() = 0;

  // Pages whose checksums do not match. If one of them is written, its new checksum does not match
  // either, so that a repair of one value does not vouch for the rest of the page.
  virtual void KeepDamaged(std::set<uint32_t> pages) = 0;

  // Reads a whole page as it is in the file, numbered from 1, without any check. False if it cannot
  // be read.
  virtual bool ReadAsIs(uint32_t number, std::span<uint8_t> page) = 0;
  // Writes a whole page past SQLite, and makes it durable. SQLite may have another copy in its
  // cache. Requires: the write lock.
  virtual bool WriteAsIs(uint32_t number, std::span<const uint8_t> page) = 0;

  // A page of the main file, numbered from 1, as SQLite reads it: checked, or an error. The content
  // is that of a transaction only if its snapshot lies in the main file (checkpointed_snapshot.h).
  // MapPage returns null if the page is damaged or not in SQLite's mapping; until UnmapPage, SQLite
  // keeps the mapping where it is. CopyPage needs no mapping.
  virtual const uint8_t* MapPage(uint32_t number) = 0;
  virtual void UnmapPage(uint32_t number, const uint8_t* page) = 0;
  virtual bool CopyPage(uint32_t number, std::span<uint8_t> page) = 0;

  // 0 as long as the file is empty.
  virtual uint32_t page_bytes() const = 0;
  // The page that last failed its checksum, from 1; 0 if none has.
  virtual uint32_t damaged_page() const = 0;

 protected:
  ~PageFile() = default;
};

}  // namespace recall
