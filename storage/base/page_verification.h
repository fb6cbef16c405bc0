#pragma once

#include <cstdint>

namespace recall {

// When a page of a store is compared with its checksum.
enum class PageVerification : uint8_t {
  kFirstUse,  // once for each page and connection, and whenever a page is copied
  kAlways,    // whenever the page is asked for
  kNever,
};

}  // namespace recall
