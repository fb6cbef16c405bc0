#include "storage/segment/segment_page.h"

#include <cstddef>
#include <cstring>
#include <string>

#include "storage/base/checksum.h"
#include "storage/segment/segment_format.h"

namespace recall {
namespace {

namespace format = segment_format;

uint32_t HeaderCrc(const uint8_t* page) {
  constexpr size_t kFirst = offsetof(format::Page, magic);
  return Crc32c(ByteSpan(page + kFirst, offsetof(format::Page, header_crc) - kFirst));
}

ByteSpan Payload(const SegmentHeader& header, const uint8_t* page) {
  return ByteSpan(page + format::kPageHeaderBytes,
                  header.layout.usable() - format::kPageHeaderBytes);
}

// The header that page `ordinal` must have, without its checksums.
format::Page Expected(const SegmentHeader& header, uint32_t ordinal) {
  const SegmentSection& section = header.SectionOf(ordinal);
  const uint32_t page = ordinal - section.first_page;
  format::Page expected{};
  std::memcpy(expected.magic, format::kPageMagic, sizeof(expected.magic));
  expected.id = static_cast<uint64_t>(header.id);
  expected.ordinal = ordinal;
  expected.kind = static_cast<uint16_t>(section.kind);
  expected.first_item = section.FirstItemOn(page);
  expected.items = section.ItemsOn(page);
  return expected;
}

Status DamagedPage(const SegmentHeader& header, uint32_t ordinal, const char* what) {
  return Status::Corruption("segment " + std::to_string(header.id) + ": page " +
                                std::to_string(ordinal) + " of " + std::to_string(header.pages) +
                                " has an invalid " + what,
                            "run `recall doctor --fix`");
}

}  // namespace

void SealPage(const SegmentHeader& header, uint32_t ordinal, std::span<uint8_t> page) {
  format::Page sealed = Expected(header, ordinal);
  sealed.payload_crc = Crc32c(Payload(header, page.data()));
  StoreLittle(page.data(), sealed);
  sealed.header_crc = HeaderCrc(page.data());
  StoreLittle(page.data(), sealed);
}

Status CheckPageHeader(const SegmentHeader& header, uint32_t ordinal, const uint8_t* page) {
  const auto found = LoadLittle<format::Page>(page);
  format::Page expected = Expected(header, ordinal);
  expected.next = found.next;
  expected.payload_crc = found.payload_crc;
  expected.header_crc = HeaderCrc(page);
  // The struct has no padding, so comparing its bytes compares its fields.
  static_assert(std::has_unique_object_representations_v<format::Page>);
  if (std::memcmp(&found, &expected, sizeof(found)) == 0) return Status::Ok();
  return DamagedPage(header, ordinal, "header");
}

Status CheckPage(const SegmentHeader& header, uint32_t ordinal, const uint8_t* page) {
  RECALL_TRY(CheckPageHeader(header, ordinal, page));
  const uint32_t stored = LoadLittle<uint32_t>(page + offsetof(format::Page, payload_crc));
  if (stored == Crc32c(Payload(header, page))) return Status::Ok();
  return DamagedPage(header, ordinal, "checksum");
}

}  // namespace recall
