#include "storage/sqlite/page_vfs.h"

#include <sqlite3.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "storage/replica/page_source.h"
#include "storage/replica/replica_vfs.h"
#include "storage/sqlite/cell_check.h"
#include "storage/sqlite/page_checksum.h"
#include "storage/sqlite/unused_pages.h"
#include "storage/sqlite/verified_pages.h"

namespace recall {
namespace {

// The problem: SQLite trusts the bytes of the disk. A flipped bit in a page of an index makes a
// search miss rows without an error.
//
// The idea: a VFS shim, as SQLite's own cksumvfs is one. Pages have 16 reserved bytes at their end.
// The shim fills them when a page is written to the main file, and compares them when SQLite reads
// the page.
//
//   SQLite's pager
//     xFetch, a pointer into the mapping   first time: read ahead this page alone, checksum, cells,
//                                          unless another process has found both to be right
//     xRead, a copy                        checksum, cells; the copy's trailer is cleared
//     xWrite, at a commit or checkpoint    checksum added
//     all others, and other files          passed on
//
// Invariants:
// - SQLite's copies of pages have an empty trailer, so the frames of a WAL and the pages of a
//   rollback journal have, too. If another program copies these into the main file, such pages have
//   no checksum. Page 1 is then one of them, because each transaction of Recall writes it first
//   (Connection::BeginImmediate). So pages without a checksum are accepted if page 1 has none, or
//   if the flag in its trailer says that they are acceptable. Otherwise a page without a checksum
//   is damaged.
// - A page that another program has changed keeps the checksum of its former contents. Recall
// cannot
//   distinguish it from a damaged page.
// - Whether pages have trailers is read from the header in the file each time a page is written,
//   because another process may have rebuilt the file with them (VACUUM) in the meantime. A trailer
//   is only written over an empty one or a former one.
// - A page that fails its check is not marked as checked, so it fails again the next time.
// - A part of a page is read only after the whole page has passed. Since 3.45 SQLite reads the data
//   of overflow pages past its cache, straight to where they are needed. Since 3.48 it does so only
//   if the file says that it may (SQLITE_IOCAP_SUBPAGE_READ), which this one does not.
//
// Pages are recognised as b-tree pages by their first byte. An overflow or free page begins with a
// page number, whose first byte is 0 in files of fewer than 2^24 pages; the cells of larger files
// are not checked.
//
// Cost of a page of 64 KiB: 4 microseconds at its first use, for reading it from memory; 12 when it
// is written. Source: https://sqlite.org/vfs.html, https://sqlite.org/cksumvfs.html;
// docs/decisions/0027-page-checksums.md, docs/decisions/0022-pages-as-needed.md.

// Offsets in the file's header.
constexpr size_t kPageSizeAt = 16;  // 2 bytes, big-endian; 1 is 65536
constexpr size_t kReservedAt = 20;  // bytes at the end of each page that SQLite leaves alone
constexpr size_t kHeaderBytes = 24;

// SQLITE_IOCAP_SUBPAGE_READ, which the headers of older versions lack.
constexpr int kMayReadPartsOfPages = 0x00008000;

constexpr int kLeastPageBytes = 512;
constexpr int64_t kMostPages = int64_t{1} << 24;

struct Layout {
  int page_bytes = 0;  // 0: unknown, because there is no header yet
  bool trailers = false;
  size_t usable() const {
    return static_cast<size_t>(page_bytes) - (trailers ? kPageTrailerBytes : 0);
  }
};

Layout LayoutOf(const uint8_t* header) {
  const uint32_t stated = LoadBig16(header + kPageSizeAt);
  const uint32_t bytes = stated == 1 ? 65536 : stated;
  if (!std::has_single_bit(bytes) || bytes < kLeastPageBytes) return {};
  return {static_cast<int>(bytes), header[kReservedAt] == kPageTrailerBytes};
}

class ShimFile final : public PageFile {
 public:
  explicit ShimFile(int inner_bytes)
      : storage_(static_cast<size_t>(inner_bytes) / sizeof(std::max_align_t) + 1),
        inner_(reinterpret_cast<sqlite3_file*>(storage_.data())) {}

  sqlite3_file* inner() const { return inner_; }
  const sqlite3_io_methods& methods() const { return *inner_->pMethods; }

  // For the main file of a database only; others are passed through.
  void BeginAsMain() {
    is_main_ = true;
    ReadLayout(&layout_);
  }

  void SetVerification(PageVerification when) override { verification_ = when; }
  void ShareVerification(const VerifiedPages* pages) override { shared_ = pages; }
  bool CheckCells() override;
  void StopReading(const std::atomic<bool>* stop) override { stop_ = stop; }
  void ExpectChecksums() override { expects_trailers_ = true; }
  bool AcceptsUnsealed() const override {
    bool accepts = false;
    ReadAccepts(layout_, &accepts);
    return accepts;
  }
  void StopAcceptingUnsealed() override { stops_accepting_ = true; }
  void KeepDamaged(std::set<uint32_t> pages) override { damaged_ = std::move(pages); }
  uint32_t page_bytes() const override { return static_cast<uint32_t>(layout_.page_bytes); }
  uint32_t damaged_page() const override { return damaged_page_; }

  const uint8_t* MapPage(uint32_t number) override;
  void UnmapPage(uint32_t number, const uint8_t* page) override;
  bool CopyPage(uint32_t number, std::span<uint8_t> page) override;
  bool ReadAsIs(uint32_t number, std::span<uint8_t> page) override;
  bool WriteAsIs(uint32_t number, std::span<const uint8_t> page) override;

  int Read(void* to, int size, sqlite3_int64 offset);
  int Write(const void* from, int size, sqlite3_int64 offset);
  int Fetch(sqlite3_int64 offset, int size, void** page);
  int DeviceCharacteristics() const;

 private:
  int ReadLayout(Layout* layout) const;
  int ReadAccepts(const Layout& layout, bool* accepts) const;
  bool IsPage(int size, sqlite3_int64 offset) const {
    return is_main_ && size == layout_.page_bytes && offset % size == 0;
  }
  // Whether the bytes are only a part of a page. SQLite reads the header of the first page that
  // way.
  bool IsPartOfPage(int size, sqlite3_int64 offset) const {
    return is_main_ && layout_.trailers && size < layout_.page_bytes &&
           offset >= layout_.page_bytes && offset % layout_.page_bytes + size <= layout_.page_bytes;
  }
  int ReadPart(void* to, int size, sqlite3_int64 offset);
  int CheckUnsealed(ByteSpan page, uint32_t number);
  int CheckTrailer(ByteSpan page, uint32_t number);
  int Check(const void* bytes, uint32_t number);
  int CheckUnlessKnown(const void* bytes, uint32_t number);
  bool IsFirstAccess(size_t index);

  std::vector<std::max_align_t> storage_;
  sqlite3_file* inner_;
  bool is_main_ = false;
  Layout layout_;
  PageVerification verification_ = PageVerification::kFirstUse;
  const VerifiedPages* shared_ = nullptr;
  bool checks_cells_ = false;
  bool expects_trailers_ = false;
  bool stops_accepting_ = false;
  const std::atomic<bool>* stop_ = nullptr;
  std::set<uint32_t> damaged_;
  uint32_t damaged_page_ = 0;
  std::vector<bool> seen_;       // whether each page of the mapping was checked
  std::vector<uint8_t> buffer_;  // one page
};

// The layout of an empty file is unknown.
int ShimFile::ReadLayout(Layout* layout) const {
  std::array<uint8_t, kHeaderBytes> header;
  const int code = methods().xRead(inner_, header.data(), kHeaderBytes, 0);
  *layout = code == SQLITE_OK ? LayoutOf(header.data()) : Layout();
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

// Whether the trailer of page 1 in the file says that pages without checksums are accepted.
int ShimFile::ReadAccepts(const Layout& layout, bool* accepts) const {
  *accepts = false;
  if (!layout.trailers) return SQLITE_OK;
  std::array<uint8_t, kPageTrailerBytes> trailer;
  const int code = methods().xRead(inner_, trailer.data(), kPageTrailerBytes,
                                   static_cast<sqlite3_int64>(layout.usable()));
  *accepts = code == SQLITE_OK && recall::AcceptsUnsealed(trailer);
  return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

bool ShimFile::CheckCells() {
  sqlite3_int64 size = 0;
  checks_cells_ = layout_.page_bytes != 0 && methods().xFileSize(inner_, &size) == SQLITE_OK &&
                  size / layout_.page_bytes < kMostPages;
  return checks_cells_;
}

// Whether a page without a checksum may be read. A backup also reads free pages, and with a
// rollback journal SQLite never writes a page that became free in the transaction that added it to
// the file.
int ShimFile::CheckUnsealed(ByteSpan page, uint32_t number) {
  if (number == 1) return SQLITE_OK;
  bool accepts = false;
  const int read = ReadAccepts(layout_, &accepts);
  if (read != SQLITE_OK || accepts) return read;
  sqlite3_int64 size = 0;
  const bool is_zero = std::ranges::all_of(page, [](uint8_t byte) { return byte == 0; });
  if (!is_zero || methods().xFileSize(inner_, &size) != SQLITE_OK) return SQLITE_CORRUPT;
  const auto pages = static_cast<uint32_t>(size / layout_.page_bytes);
  const PageReader reader = [this](uint32_t at, std::span<uint8_t> to) { return ReadAsIs(at, to); };
  return UnusedPages(reader, page.size(), pages).contains(number) ? SQLITE_OK : SQLITE_CORRUPT;
}

int ShimFile::CheckTrailer(ByteSpan page, uint32_t number) {
  switch (CheckPageTrailer(page, number)) {
    case PageState::kIntact:
      return SQLITE_OK;
    case PageState::kUnsealed:
      return CheckUnsealed(page, number);
    case PageState::kDamaged:
      break;
  }
  // SQLITE_IOERR_DATA would make SQLite roll back the transaction of a reader.
  return SQLITE_CORRUPT;
}

int ShimFile::Check(const void* bytes, uint32_t number) {
  const ByteSpan page(static_cast<const uint8_t*>(bytes), static_cast<size_t>(layout_.page_bytes));
  if (layout_.trailers && verification_ != PageVerification::kNever) {
    const int code = CheckTrailer(page, number);
    if (code == SQLITE_CORRUPT) damaged_page_ = number;
    if (code != SQLITE_OK) return code;
  }
  return !checks_cells_ || CellsLieOnPage(page.first(layout_.usable())) ? SQLITE_OK
                                                                        : SQLITE_CORRUPT;
}

// Requires: the bytes are in the mapping, so that they are those of the main file.
int ShimFile::CheckUnlessKnown(const void* bytes, uint32_t number) {
  if (shared_ == nullptr || verification_ != PageVerification::kFirstUse) {
    return Check(bytes, number);
  }
  const uint64_t checks = (layout_.trailers ? VerifiedPages::kChecksum : 0) |
                          (checks_cells_ ? VerifiedPages::kCells : 0);
  if ((shared_->Find(number) & checks) == checks) return SQLITE_OK;
  const int code = Check(bytes, number);
  if (code == SQLITE_OK) shared_->Add(number, checks);
  return code;
}

int ShimFile::ReadPart(void* to, int size, sqlite3_int64 offset) {
  const auto page_bytes = static_cast<size_t>(layout_.page_bytes);
  const sqlite3_int64 index = offset / layout_.page_bytes;
  buffer_.resize(page_bytes);
  int code =
      methods().xRead(inner_, buffer_.data(), layout_.page_bytes, index * layout_.page_bytes);
  if (code == SQLITE_OK) code = Check(buffer_.data(), static_cast<uint32_t>(index + 1));
  if (code != SQLITE_OK) return code;
  std::memcpy(to, buffer_.data() + static_cast<size_t>(offset) % page_bytes,
              static_cast<size_t>(size));
  return SQLITE_OK;
}

int ShimFile::Read(void* to, int size, sqlite3_int64 offset) {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return SQLITE_INTERRUPT;
  if (IsPartOfPage(size, offset)) return ReadPart(to, size, offset);
  const int code = methods().xRead(inner_, to, size, offset);
  if (code != SQLITE_OK || !is_main_) return code;
  auto* const bytes = static_cast<uint8_t*>(to);
  if (offset == 0 && size >= static_cast<int>(kHeaderBytes)) layout_ = LayoutOf(bytes);
  if (!IsPage(size, offset)) return SQLITE_OK;
  const int checked = Check(bytes, static_cast<uint32_t>(offset / size + 1));
  if (checked == SQLITE_OK && layout_.trailers) {
    ClearPageTrailer({bytes, static_cast<size_t>(size)});
  }
  return checked;
}

int ShimFile::Write(const void* from, int size, sqlite3_int64 offset) {
  Layout in_file;
  if (is_main_ && size >= kLeastPageBytes) {
    const int code = ReadLayout(&layout_);
    if (code != SQLITE_OK) return code;
    in_file = layout_;
    if (offset == 0) layout_ = LayoutOf(static_cast<const uint8_t*>(from));
    if (expects_trailers_) layout_ = {size, true};
  }
  if (!IsPage(size, offset) || !layout_.trailers) {
    return methods().xWrite(inner_, from, size, offset);
  }
  const auto* const bytes = static_cast<const uint8_t*>(from);
  buffer_.assign(bytes, bytes + size);
  const auto number = static_cast<uint32_t>(offset / size + 1);
  bool accepts = false;
  if (number == 1) {
    const int code = ReadAccepts(in_file, &accepts);
    if (code != SQLITE_OK) return code;
    if (std::exchange(stops_accepting_, false)) accepts = false;
  }
  if (WritePageTrailer(buffer_, number, accepts) && damaged_.contains(number)) {
    SpoilPageTrailer(buffer_);
  }
  return methods().xWrite(inner_, buffer_.data(), size, offset);
}

bool ShimFile::ReadAsIs(uint32_t number, std::span<uint8_t> page) {
  const auto size = static_cast<int>(page.size());
  return methods().xRead(inner_, page.data(), size, sqlite3_int64{size} * (number - 1)) ==
         SQLITE_OK;
}

bool ShimFile::WriteAsIs(uint32_t number, std::span<const uint8_t> page) {
  const auto size = static_cast<int>(page.size());
  return methods().xWrite(inner_, page.data(), size, sqlite3_int64{size} * (number - 1)) ==
             SQLITE_OK &&
         methods().xSync(inner_, SQLITE_SYNC_FULL) == SQLITE_OK;
}

int ShimFile::Fetch(sqlite3_int64 offset, int size, void** page) {
  *page = nullptr;
  if (methods().iVersion < 3 || !methods().xFetch) return SQLITE_OK;
  const int code = methods().xFetch(inner_, offset, size, page);
  if (offset == 0 && *page) layout_ = LayoutOf(static_cast<const uint8_t*>(*page));
  if (code != SQLITE_OK || !*page || !IsPage(size, offset)) return code;
  const auto index = static_cast<size_t>(offset / size);
  if (IsFirstAccess(index)) {
    // A failure does not matter: the page fault then reads the page.
    static_cast<void>(::madvise(*page, static_cast<size_t>(size), MADV_WILLNEED));
  } else if (verification_ != PageVerification::kAlways) {
    return SQLITE_OK;
  }
  const int checked = CheckUnlessKnown(*page, static_cast<uint32_t>(index + 1));
  if (checked == SQLITE_OK) return SQLITE_OK;
  seen_[index] = false;
  methods().xUnfetch(inner_, offset, *page);
  *page = nullptr;
  return checked;
}

const uint8_t* ShimFile::MapPage(uint32_t number) {
  const int size = layout_.page_bytes;
  if (number == 0 || size == 0) return nullptr;
  void* page = nullptr;
  const int code = Fetch(sqlite3_int64{size} * (number - 1), size, &page);
  return code == SQLITE_OK ? static_cast<const uint8_t*>(page) : nullptr;
}

void ShimFile::UnmapPage(uint32_t number, const uint8_t* page) {
  methods().xUnfetch(inner_, sqlite3_int64{layout_.page_bytes} * (number - 1),
                     const_cast<uint8_t*>(page));
}

bool ShimFile::CopyPage(uint32_t number, std::span<uint8_t> page) {
  const auto size = static_cast<int>(page.size());
  return number != 0 && size == layout_.page_bytes &&
         Read(page.data(), size, sqlite3_int64{size} * (number - 1)) == SQLITE_OK;
}

int ShimFile::DeviceCharacteristics() const {
  const int found = methods().xDeviceCharacteristics(inner_);
  return is_main_ ? found & ~kMayReadPartsOfPages : found;
}

bool ShimFile::IsFirstAccess(size_t index) {
  if (index >= seen_.size()) seen_.resize(std::max(index + 1, 2 * seen_.size()));
  const bool first = !seen_[index];
  seen_[index] = true;
  return first;
}

// The object that SQLite allocates for an open file.
struct Slot : sqlite3_file {
  ShimFile* shim;
};

ShimFile& Shim(sqlite3_file* file) { return *static_cast<Slot*>(file)->shim; }

// ---- Methods of files -------------------------------------------------------------------------

int Close(sqlite3_file* file) {
  const std::unique_ptr<ShimFile> shim(&Shim(file));
  file->pMethods = nullptr;
  return shim->methods().xClose(shim->inner());
}
int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  return Shim(file).Read(to, size, offset);
}
int Write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
  return Shim(file).Write(from, size, offset);
}
int Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** page) {
  return Shim(file).Fetch(offset, size, page);
}

int DeviceCharacteristics(sqlite3_file* file) { return Shim(file).DeviceCharacteristics(); }

// Calls the same method of the inner file.
template <auto kMethod, typename... Arguments>
int PassOn(sqlite3_file* file, Arguments... arguments) {
  sqlite3_file* const inner = Shim(file).inner();
  return (inner->pMethods->*kMethod)(inner, arguments...);
}
void ShmBarrier(sqlite3_file* file) {
  sqlite3_file* const inner = Shim(file).inner();
  inner->pMethods->xShmBarrier(inner);
}

using Io = sqlite3_io_methods;
constexpr Io kMethods = {
    .iVersion = 3,
    .xClose = Close,
    .xRead = Read,
    .xWrite = Write,
    .xTruncate = PassOn<&Io::xTruncate, sqlite3_int64>,
    .xSync = PassOn<&Io::xSync, int>,
    .xFileSize = PassOn<&Io::xFileSize, sqlite3_int64*>,
    .xLock = PassOn<&Io::xLock, int>,
    .xUnlock = PassOn<&Io::xUnlock, int>,
    .xCheckReservedLock = PassOn<&Io::xCheckReservedLock, int*>,
    .xFileControl = PassOn<&Io::xFileControl, int, void*>,
    .xSectorSize = PassOn<&Io::xSectorSize>,
    .xDeviceCharacteristics = DeviceCharacteristics,
    .xShmMap = PassOn<&Io::xShmMap, int, int, int, void volatile**>,
    .xShmLock = PassOn<&Io::xShmLock, int, int, int>,
    .xShmBarrier = ShmBarrier,
    .xShmUnmap = PassOn<&Io::xShmUnmap, int>,
    .xFetch = Fetch,
    .xUnfetch = PassOn<&Io::xUnfetch, sqlite3_int64, void*>,
};

// ---- Methods of the VFS -----------------------------------------------------------------------

// The default VFS may change while the process runs, so it is looked up for each call.
sqlite3_vfs* Base() { return sqlite3_vfs_find(nullptr); }

int Open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  const bool is_replica = (flags & SQLITE_OPEN_MAIN_DB) && name && FindPageSource(name) != nullptr;
  sqlite3_vfs* const base = is_replica ? ReplicaVfs() : Base();
  std::unique_ptr<ShimFile> shim(new (std::nothrow) ShimFile(base->szOsFile));
  if (!shim) return SQLITE_NOMEM;
  const int code = base->xOpen(base, name, shim->inner(), flags, out_flags);
  if (code != SQLITE_OK) {
    // A file with methods must be closed even if it could not be opened.
    if (shim->inner()->pMethods) shim->methods().xClose(shim->inner());
    return code;
  }
  if (flags & SQLITE_OPEN_MAIN_DB) shim->BeginAsMain();
  static_cast<Slot*>(file)->shim = shim.release();
  file->pMethods = &kMethods;
  return SQLITE_OK;
}

template <auto kMethod, typename... Arguments>
auto PassToBase(sqlite3_vfs*, Arguments... arguments) {
  sqlite3_vfs* const base = Base();
  return (base->*kMethod)(base, arguments...);
}

using Vfs = sqlite3_vfs;
Vfs MakeVfs() {
  Vfs vfs = {};
  vfs.iVersion = 2;
  vfs.szOsFile = sizeof(Slot);
  vfs.mxPathname = Base()->mxPathname;
  vfs.zName = "recall-pages";
  vfs.xOpen = Open;
  vfs.xDelete = PassToBase<&Vfs::xDelete, const char*, int>;
  vfs.xAccess = PassToBase<&Vfs::xAccess, const char*, int, int*>;
  vfs.xFullPathname = PassToBase<&Vfs::xFullPathname, const char*, int, char*>;
  vfs.xRandomness = PassToBase<&Vfs::xRandomness, int, char*>;
  vfs.xSleep = PassToBase<&Vfs::xSleep, int>;
  vfs.xCurrentTime = PassToBase<&Vfs::xCurrentTime, double*>;
  vfs.xGetLastError = PassToBase<&Vfs::xGetLastError, int, char*>;
  vfs.xCurrentTimeInt64 = PassToBase<&Vfs::xCurrentTimeInt64, sqlite3_int64*>;
  // A host that opens a store with this VFS may load extensions.
  vfs.xDlOpen = PassToBase<&Vfs::xDlOpen, const char*>;
  vfs.xDlError = PassToBase<&Vfs::xDlError, int, char*>;
  vfs.xDlSym = PassToBase<&Vfs::xDlSym, void*, const char*>;
  vfs.xDlClose = PassToBase<&Vfs::xDlClose, void*>;
  return vfs;
}

}  // namespace

const char* PageVfs() {
  static Vfs vfs = [] {
    sqlite3_initialize();
    return MakeVfs();
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  return registered == SQLITE_OK ? vfs.zName : nullptr;
}

PageFile* PageFile::Of(sqlite3* connection) {
  sqlite3_file* file = nullptr;
  const int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return code == SQLITE_OK && file && file->pMethods == &kMethods ? &Shim(file) : nullptr;
}

}  // namespace recall
