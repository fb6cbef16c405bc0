#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/base/coding.h"
#include "storage/overflow/page_layout.h"

namespace recall {

// A database file in memory, as pages numbered from 1. Its bytes are not trusted.
struct FilePages {
  ByteSpan bytes;
  PageLayout layout;
  // Of the same file, or -1. A page that is mapped but was never looked at costs a page fault and
  // later its removal from the page table, several times as long as reading some bytes of it.
  int descriptor = -1;

  // Null when the page does not lie wholly inside the file.
  const uint8_t* page(uint32_t number) const {
    if (number == 0 || uint64_t{number} * layout.page_size() > bytes.size()) return nullptr;
    return bytes.data() + (uint64_t{number} - 1) * layout.page_size();
  }

  // Copies what is at `from`, which lies in `bytes`. False when it cannot be read.
  bool Read(const uint8_t* from, std::span<uint8_t> to) const;
  // The same, but false also when the disk would have to be waited for. Where the system cannot
  // tell (RWF_NOWAIT of preadv2, Linux 4.14) it waits.
  bool ReadIfCached(const uint8_t* from, std::span<uint8_t> to) const;
  // Has the system fetch these bytes, and does not wait for them. A disk answers many small reads
  // at a time: 4000 of 4 KiB took 280 ms one after the other, and 40 when all were asked for first.
  void WillNeed(const uint8_t* from, size_t length) const;
};

}  // namespace recall
