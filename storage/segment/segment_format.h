#pragma once

// The bytes of a segment (docs/format/segment.md): a header in the leaf of its row, then pages.
// All integers little-endian, except SQLite's own next pointer. Never change a row of these
// tables: a new layout gets a new version.

#include <cstddef>
#include <cstdint>

namespace recall::segment_format {

inline constexpr char kHeaderMagic[8] = {'R', 'E', 'C', 'A', 'L', 'S', 'E', 'G'};
inline constexpr char kPageMagic[4] = {'R', 'V', 'P', 'G'};
inline constexpr uint16_t kVersion = 1;          // of a segment without IVF lists
inline constexpr uint16_t kIvfListsVersion = 2;  // of a segment with IVF lists
// Of a segment with checksums of vectors, with or without IVF lists: the newest.
inline constexpr uint16_t kVectorChecksumsVersion = 3;
inline constexpr uint32_t kMaxSections = 8;
// Below SQLite's limit of 1e9 bytes a row, with room for the record around the data.
inline constexpr uint64_t kMaxBlobBytes = 1'000'000'000 - 65'536;

// At byte 0 of the data. `section_count` sections follow, then the CRC-32C of all that (u32); the
// rest of the leaf's part is zero.
struct Header {
  char magic[8];            // "RECALSEG"
  uint16_t version;         // 1, 2 or 3
  uint16_t header_bytes;    // all of the header, sections and checksum included
  uint32_t page_size;       // of the database file that this layout was made for
  uint32_t usable;          // U: page_size less SQLite's reserved bytes
  uint32_t prefix_bytes;    // bytes of data before the first page
  uint32_t pages;           // in the chain
  uint32_t vectors;         // 1 .. 65,536
  uint64_t id;              // vec_segment.id
  uint64_t space_hash;      // identity of the vector space
  uint32_t dim;             // components of a vector, without padding; 0: no vectors
  uint32_t min_chunk;       // smallest chunk rowid
  uint32_t max_chunk;       // largest chunk rowid
  uint32_t signature_bits;  // 0 without sign codes
  uint64_t signature_seed;
  uint16_t section_count;  // 1 .. 8
  uint16_t reserved0;      // 0
  uint32_t reserved1;      // 0
};
static_assert(offsetof(Header, magic) == 0);
static_assert(offsetof(Header, version) == 8);
static_assert(offsetof(Header, header_bytes) == 10);
static_assert(offsetof(Header, page_size) == 12);
static_assert(offsetof(Header, usable) == 16);
static_assert(offsetof(Header, prefix_bytes) == 20);
static_assert(offsetof(Header, pages) == 24);
static_assert(offsetof(Header, vectors) == 28);
static_assert(offsetof(Header, id) == 32);
static_assert(offsetof(Header, space_hash) == 40);
static_assert(offsetof(Header, dim) == 48);
static_assert(offsetof(Header, min_chunk) == 52);
static_assert(offsetof(Header, max_chunk) == 56);
static_assert(offsetof(Header, signature_bits) == 60);
static_assert(offsetof(Header, signature_seed) == 64);
static_assert(offsetof(Header, section_count) == 72);
static_assert(offsetof(Header, reserved0) == 74);
static_assert(offsetof(Header, reserved1) == 76);
static_assert(sizeof(Header) == 80);

struct Section {
  uint16_t kind;      // SectionKind; ascending in the table
  uint16_t reserved;  // 0
  uint32_t item_bytes;
  uint32_t first_page;  // ordinal in the chain; sections follow each other without gaps
  uint32_t pages;
  uint32_t items_per_page;  // as many as fit
  uint32_t items;
};
static_assert(offsetof(Section, kind) == 0);
static_assert(offsetof(Section, reserved) == 2);
static_assert(offsetof(Section, item_bytes) == 4);
static_assert(offsetof(Section, first_page) == 8);
static_assert(offsetof(Section, pages) == 12);
static_assert(offsetof(Section, items_per_page) == 16);
static_assert(offsetof(Section, items) == 20);
static_assert(sizeof(Section) == 24);

// At byte 0 of a file page. Byte 4 is the first that belongs to the data.
struct Page {
  uint32_t next;          // SQLite's: next page of the chain, big-endian
  char magic[4];          // "RVPG"
  uint64_t id;            // of the segment
  uint32_t ordinal;       // in the chain
  uint16_t kind;          // SectionKind
  uint16_t reserved0;     // 0
  uint32_t first_item;    // index in its section
  uint32_t items;         // on this page
  uint32_t payload_crc;   // CRC-32C of bytes 64 .. U-1
  uint32_t header_crc;    // CRC-32C of bytes 4 .. 35
  uint8_t reserved1[24];  // 0
};
static_assert(offsetof(Page, next) == 0);
static_assert(offsetof(Page, magic) == 4);
static_assert(offsetof(Page, id) == 8);
static_assert(offsetof(Page, ordinal) == 16);
static_assert(offsetof(Page, kind) == 20);
static_assert(offsetof(Page, reserved0) == 22);
static_assert(offsetof(Page, first_item) == 24);
static_assert(offsetof(Page, items) == 28);
static_assert(offsetof(Page, payload_crc) == 32);
static_assert(offsetof(Page, header_crc) == 36);
static_assert(offsetof(Page, reserved1) == 40);
static_assert(sizeof(Page) == 64);  // so that items begin on a cache line

inline constexpr size_t kPageHeaderBytes = sizeof(Page);
inline constexpr size_t kChecksumBytes = sizeof(uint32_t);
inline constexpr size_t kMaxHeaderBytes =
    sizeof(Header) + kMaxSections * sizeof(Section) + kChecksumBytes;
static_assert(kMaxHeaderBytes == 276);  // a leaf of 4096 bytes has room for it, one of 2048 not

}  // namespace recall::segment_format
