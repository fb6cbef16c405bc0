#include "storage/check/page_check.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/file_hints.h"
#include "storage/sqlite/page_checksum.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/sqlite/unused_pages.h"

namespace recall {
namespace {

// The problem: a page that fails its checksum may have one wrong bit, which can be restored; or
// more, of which some checks may know the right value; or it may be right, and another program
// wrote it.
//
// The idea: restore what the second checksum proves. Of the rest, declare a page right only if
// everything on it was compared with what it is derived from, or if the user vouches for it.
//
// Every page of the file is read and compared with its checksum, except for:
// - the leaf pages of the free list, which SQLite never reads, and may never have written;
// - the page with the lock byte, which is never written (https://sqlite.org/fileformat2.html, 1.3).
//
// Another process may be copying a page out of the WAL while it is read here. So a page that does
// not match is read again at the end.
//
// Cost: one read of the file; about a millisecond for each damaged page.

// The trees with values that nothing else confirms.
constexpr const char* kNotCompared =
    "'sqlite_schema', 'sqlite_sequence', 'meta', 'doc', 'doc_past', 'commit_log', 'given_vector', "
    "'space', 'model', 'vec_tail', 'name', 'link', 'use_log', 'review_log', 'extraction', "
    "'symbol', 'code_grammar'";

// Offsets in the file's header (https://sqlite.org/fileformat2.html, 1.3).
constexpr size_t kPageSizeAt = 16;
constexpr size_t kReservedBytesAt = 20;

constexpr size_t kLeastPageBytes = 512;
constexpr size_t kMostPageBytes = 65536;

class PageScan final {
 public:
  PageScan(PageFile* file, const FileFacts& facts)
      : file_(file),
        pages_(static_cast<uint32_t>(facts.pages)),
        page_(static_cast<size_t>(facts.page_size)) {}

  uint32_t pages() const { return pages_; }
  // A page that is only in the WAL so far has nothing to be compared. Page 1 is read again for each
  // page without a checksum, because another program may be copying a WAL.
  PageState Check(uint32_t number) {
    if (!file_->ReadAsIs(number, page_)) return PageState::kIntact;
    const PageState state = CheckPageTrailer(page_, number);
    const bool lost = state == PageState::kUnsealed && number != 1 && !file_->AcceptsUnsealed();
    return lost ? PageState::kDamaged : state;
  }
  // Whether a damaged page can be restored.
  bool IsCorrectable(uint32_t number) {
    return file_->ReadAsIs(number, page_) && CorrectSingleBit(page_, number);
  }

  std::set<uint32_t> Unused() const {
    const auto read = [this](uint32_t number, std::span<uint8_t> page) {
      return file_->ReadAsIs(number, page);
    };
    return UnusedPages(read, page_.size(), pages_);
  }

 private:
  PageFile* file_;
  uint32_t pages_;
  std::vector<uint8_t> page_;
};

Status CannotWrite(const Connection& connection, uint32_t number) {
  return Status::IoError(connection.path() + ": cannot write page " + std::to_string(number),
                         "check the disk");
}

Result<size_t> PageBytes(Connection& connection) {
  RECALL_ASSIGN(const int64_t bytes, connection.QueryInt("PRAGMA page_size"));
  return static_cast<size_t>(bytes);
}

// The pages that do not match their checksums.
struct PagesFound {
  std::set<uint32_t> damaged;
  int64_t unsealed = 0;  // pages without a checksum, where that is acceptable
};

Result<PagesFound> ScanPages(CheckRun& run, PageScan& scan) {
  PagesFound found;
  std::set<uint32_t> unused;
  const auto is_unused = [&](uint32_t page) {
    if (unused.empty()) unused = scan.Unused();
    return unused.contains(page);
  };
  for (uint32_t page = 1; page <= scan.pages(); ++page) {
    if (page % 256 == 0) RECALL_TRY(run.CheckCancelled());
    const PageState state = scan.Check(page);
    if (state == PageState::kIntact || is_unused(page)) continue;
    if (state == PageState::kUnsealed) {
      ++found.unsealed;
    } else {
      found.damaged.insert(page);
    }
  }
  std::erase_if(found.damaged,
                [&](uint32_t page) { return scan.Check(page) != PageState::kDamaged; });
  return found;
}

}  // namespace

Result<std::set<uint32_t>> CheckPages(CheckRun& run, const FileFacts& facts) {
  PageFile* const file = run.connection().page_file();
  RECALL_ASSIGN(const uint32_t reserved, run.connection().ReservedBytes());
  if (reserved != kPageTrailerBytes || file == nullptr) {
    run.findings().Add(FindingCode::kPageUnchecked, "file", "no page has a checksum");
    return std::set<uint32_t>();
  }
  PageScan scan(file, facts);
  RECALL_ASSIGN(PagesFound found, ScanPages(run, scan));
  bool repairable = false;
  for (const uint32_t page : found.damaged) {
    RECALL_TRY(run.CheckCancelled());
    const bool single_bit = scan.IsCorrectable(page);
    run.findings().Add(FindingCode::kPageChecksum, "page " + std::to_string(page),
                       single_bit ? "one bit is wrong" : "more than one bit is wrong");
    repairable = repairable || single_bit;
  }
  if (!repairable) {
    run.findings().Forbid(Repair::kPages, "more than one bit of each of these pages is wrong");
  }
  if (found.unsealed > 0) {
    run.findings().Add(FindingCode::kPageUnchecked, "file",
                       std::to_string(found.unsealed) + " of " + std::to_string(scan.pages()) +
                           " pages have no checksum");
  }
  return std::move(found.damaged);
}

Result<std::set<uint32_t>> SelectComparedPages(Connection& connection,
                                               const std::set<uint32_t>& pages) {
  auto trees = connection.Prepare("SELECT pageno FROM dbstat WHERE name IN (" +
                                  std::string(kNotCompared) + ")");
  if (!trees) return std::set<uint32_t>();
  std::set<uint32_t> compared = pages;
  while (true) {
    RECALL_ASSIGN(const bool row, trees->Step());
    if (!row) return compared;
    compared.erase(static_cast<uint32_t>(trees->ColumnInt(0)));
  }
}

Status CorrectPages(Connection& connection, const std::set<uint32_t>& pages) {
  PageFile* const file = connection.page_file();
  if (file == nullptr) return Status::Ok();
  RECALL_ASSIGN(const size_t bytes, PageBytes(connection));
  std::vector<uint8_t> page(bytes);
  for (const uint32_t number : pages) {
    if (!file->ReadAsIs(number, page) || !CorrectSingleBit(page, number)) continue;
    if (!file->WriteAsIs(number, page)) return CannotWrite(connection, number);
  }
  return Status::Ok();
}

// The size of the pages may be what is damaged, so all sizes are tried. The corrected header must
// confirm the size.
std::optional<std::vector<uint8_t>> CorrectedFirstPage(int descriptor) {
  for (size_t bytes = kMostPageBytes; bytes >= kLeastPageBytes; bytes /= 2) {
    std::vector<uint8_t> page(bytes);
    if (::pread(descriptor, page.data(), bytes, 0) != static_cast<ssize_t>(bytes)) continue;
    if (CheckPageTrailer(page, 1) != PageState::kDamaged || !CorrectSingleBit(page, 1)) continue;
    const size_t stated = LoadBig16(page.data() + kPageSizeAt);
    const bool confirmed = (stated == 1 ? kMostPageBytes : stated) == bytes;
    if (confirmed && page[kReservedBytesAt] == kPageTrailerBytes) return page;
  }
  return std::nullopt;
}

Status WriteFirstPage(const std::string& path, int descriptor, ByteSpan page) {
  if (::pwrite(descriptor, page.data(), page.size(), 0) == static_cast<ssize_t>(page.size()) &&
      SyncData(descriptor) == 0) {
    return Status::Ok();
  }
  return Status::IoError(path + ": cannot write page 1: " + std::strerror(errno), "check the disk");
}

Status AcceptPages(Connection& connection, const std::set<uint32_t>& pages) {
  PageFile* const file = connection.page_file();
  if (file == nullptr) return Status::Ok();
  RECALL_ASSIGN(const size_t bytes, PageBytes(connection));
  std::vector<uint8_t> page(bytes);
  for (const uint32_t number : pages) {
    if (!file->ReadAsIs(number, page)) return CannotWrite(connection, number);
    const bool accept = number == 1 && AcceptsUnsealed(page);
    ClearPageTrailer(page);
    WritePageTrailer(page, number, accept);
    if (!file->WriteAsIs(number, page)) return CannotWrite(connection, number);
  }
  return Status::Ok();
}

}  // namespace recall
