#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/base/coding.h"
#include "storage/overflow/page_layout.h"

namespace recall {

class PageSource;
class VerifiedPages;

// A database file in memory, as pages numbered from 1. Its bytes are untrusted.
struct FilePages {
  ByteSpan bytes;
  PageLayout layout;
  // Descriptor of the same file, or -1. The first access to a mapped page costs a page fault, and
  // later its removal from the page table: several times as much as reading some bytes of it.
  int descriptor = -1;
  // Of a replica: where absent pages come from; else null.
  PageSource* source = nullptr;
  // Pages that other processes have verified; null: none are known.
  const VerifiedPages* verified = nullptr;

  // Where the page is. Its bytes may be read if the page was loaded, or a part of it read, before.
  // Null if the page is not wholly inside the file.
  const uint8_t* page(uint32_t number) const {
    if (number == 0 || uint64_t{number} * layout.page_size() > bytes.size()) return nullptr;
    return bytes.data() + (uint64_t{number} - 1) * layout.page_size();
  }

  // The page, after its bytes have been fetched if they were absent. Null also if that failed.
  const uint8_t* Load(uint32_t number) const {
    const uint8_t* const bytes_of_page = page(number);
    return bytes_of_page != nullptr && IsLoaded(bytes_of_page, true) ? bytes_of_page : nullptr;
  }

  // Copies the bytes at `from`, which must be in `bytes`. False if they cannot be read.
  bool Read(const uint8_t* from, std::span<uint8_t> to) const;
  // The same, but also false if the read would wait for the disk. If the system cannot determine
  // that (storage/base/file_hints.h), it waits.
  bool ReadIfCached(const uint8_t* from, std::span<uint8_t> to) const;
  // Starts reading these bytes from disk, without waiting. A disk serves many small reads at once:
  // 4000 reads of 4 KiB took 280 ms one after the other, and 40 ms when all were started first.
  void WillNeed(const uint8_t* from, size_t length) const;

 private:
  // Whether the page with this byte is in the file; fetches it before if `fetch`.
  bool IsLoaded(const uint8_t* from, bool fetch) const;
};

}  // namespace recall
