#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/source/extract/types/extraction.h"
#include "storage/base/bytes.h"
#include "storage/base/result.h"

namespace recall {

struct ZipEntry {
  std::string name;           // normalised: "word/document.xml"
  uint64_t packed_bytes = 0;  // as the directory of the container says
  uint64_t unpacked_bytes = 0;
  bool encrypted = false;
};

// How the bytes of an entry are found and unpacked.
struct ZipPlace {
  uint64_t header = 0;  // offset of the local header
  uint32_t crc = 0;
  uint16_t method = 0;  // of compression
};

// An untrusted ZIP file in memory, by the names of its entries (APPNOTE 6.3: stored and deflated
// entries, Zip64). The directory at the end of the file decides what there is. Not thread-safe.
class ZipContainer final {
 public:
  // The bytes must outlive the container. Errors: Corruption; LimitExceeded for too many entries;
  // Unsupported for a file in several parts, or if zlib is not installed.
  static Result<ZipContainer> Open(std::string_view bytes, const ExtractLimits& limits);

  // The files, in the order of the directory. Entries whose name is refused (absolute, "..", not
  // UTF-8) and directories are left out. Of several with one name the last one counts, but all are
  // listed.
  const std::vector<ZipEntry>& entries() const { return entries_; }

  // The entry with this name; else the last whose name is equal but for the case of ASCII letters;
  // else null. A leading "/" of `name` is ignored.
  const ZipEntry* Find(std::string_view name) const;

  // The bytes of the entry that Find returns. Reading counts against the limits of the whole
  // container, each time. Errors: NotFound; NeedsPassword if it is encrypted; LimitExceeded for
  // more unpacked bytes than the limits allow; Corruption, also if the check sum differs;
  // Unsupported for another compression.
  Result<std::string> Read(std::string_view name);

  // Reads the same bytes in blocks of at most 256 KiB. `sink` returns whether it wants more; if
  // not, the rest is not read, and not checked.
  Status ReadBlocks(std::string_view name, const std::function<bool(std::string_view)>& sink);

 private:
  ZipContainer(std::string_view bytes, uint64_t allowed) : bytes_(bytes), allowed_(allowed) {}
  Status ReadDirectory(const ExtractLimits& limits);
  // Refused names are left out.
  void AddEntry(ZipEntry entry, const ZipPlace& place);
  Result<ByteSpan> PackedBytes(size_t index) const;
  Status ReadEntry(size_t index, const std::function<bool(std::string_view)>& sink);
  std::optional<size_t> IndexOf(std::string_view name) const;

  std::string_view bytes_;
  uint64_t allowed_;  // unpacked bytes of all entries together
  uint64_t spent_ = 0;
  std::vector<ZipEntry> entries_;
  std::vector<ZipPlace> places_;  // of entries_
  std::unordered_map<std::string, size_t> by_name_;
  std::unordered_map<std::string, size_t> by_folded_name_;  // ASCII letters in lower case
};

// Whether the bytes begin as a ZIP file does.
bool LooksLikeZip(std::string_view bytes);

// The entry that a reference names: `target` is a relative or absolute reference as in a link
// ("../media/a%20b.png", "/xl/workbook.xml", "ch1.xhtml#s2"), `base` the entry that contains it.
// Percent escapes are decoded, query and fragment are left out. "" for a reference to elsewhere: it
// has a scheme ("http:"), leads out of the container, or is not UTF-8.
std::string ResolveEntryName(std::string_view base, std::string_view target);

}  // namespace recall
