#include "storage/overflow/page_layout.h"

#include <bit>
#include <string>

#include "storage/base/checked_math.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr uint32_t kMinPageSize = 512;
constexpr uint32_t kMaxPageSize = 65536;
constexpr uint32_t kMinUsable = 480;

uint32_t VarintBytes(uint64_t value) {
  uint32_t bytes = 1;
  while (value >>= 7) ++bytes;
  return bytes < 9 ? bytes : 9;
}

}  // namespace

Result<PageLayout> PageLayout::Make(uint32_t page_size, uint32_t usable) {
  if (!std::has_single_bit(page_size) || page_size < kMinPageSize || page_size > kMaxPageSize ||
      usable > page_size || usable < kMinUsable) {
    return Fail(Status::Corruption("invalid page size: " + std::to_string(page_size) + " bytes, " +
                                   std::to_string(usable) + " of them usable"));
  }
  return PageLayout(page_size, usable);
}

uint32_t PageLayout::LocalBytes(uint64_t payload) const {
  if (payload <= max_local()) return static_cast<uint32_t>(payload);
  const uint64_t rest = min_local() + (payload - min_local()) % chain_bytes();
  return rest <= max_local() ? static_cast<uint32_t>(rest) : min_local();
}

uint64_t PageLayout::ChainPages(uint64_t payload) const {
  return DivideRoundUp(payload - LocalBytes(payload), chain_bytes());
}

std::optional<uint64_t> PageLayout::BlobLength(uint32_t pages) const {
  const uint64_t payload = min_local() + static_cast<uint64_t>(pages) * chain_bytes();
  for (uint32_t header = 3; header <= 11; ++header) {
    if (RecordHeaderBytes(payload - header) == header) return payload - header;
  }
  return std::nullopt;
}

uint32_t PageLayout::PrefixBytes(uint64_t blob_length) const {
  return min_local() - RecordHeaderBytes(blob_length);
}

uint32_t PageLayout::RecordHeaderBytes(uint64_t blob_length) {
  return 2 + VarintBytes(2 * blob_length + 12);
}

Result<PageLayout> ReadPageLayout(Connection& connection) {
  RECALL_ASSIGN(const int64_t page_size, connection.QueryInt("PRAGMA page_size"));
  RECALL_ASSIGN(const uint32_t reserved, connection.ReservedBytes());
  return PageLayout::Make(static_cast<uint32_t>(page_size),
                          static_cast<uint32_t>(page_size - reserved));
}

}  // namespace recall
