#include "storage/segment/segment_header.h"

#include <algorithm>
#include <optional>
#include <string>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/base/checksum.h"
#include "storage/segment/segment_format.h"

namespace recall {
namespace {

namespace format = segment_format;

constexpr uint32_t kSignCodeBlock = 32;  // vectors
constexpr uint32_t kRowAlignment = 64;   // of the int8 rows
constexpr uint32_t kMaxSegmentDim = 1u << 16;
constexpr uint32_t kMaxLists = 1u << 16;

// The properties of a section's items that SectionKind states; readers rely on them without
// checking.
bool FitsKind(const SegmentHeader& header, const SegmentSection& section) {
  switch (section.kind) {
    case SectionKind::kSignatures:
      return header.signature_bits > 0 && header.signature_bits % 8 == 0 &&
             header.signature_bits <= kMaxSegmentDim &&
             section.item_bytes == kSignCodeBlock * header.signature_bits / 8 &&
             section.items == DivideRoundUp(header.vectors, kSignCodeBlock);
    case SectionKind::kVectors:
      return header.dim > 0 && section.item_bytes >= header.dim &&
             section.item_bytes % kRowAlignment == 0 && section.items == header.vectors;
    case SectionKind::kChunkIds:
    case SectionKind::kScales:
    case SectionKind::kTokenCounts:
    case SectionKind::kVectorChecksums:
      return section.item_bytes == 4 && section.items == header.vectors;
    case SectionKind::kCellEnds:
      return section.item_bytes == 4 && section.items <= kMaxLists;
    case SectionKind::kSlots:
      return section.item_bytes == 2 && section.items == header.vectors;
  }
  return false;
}

// The order of the sign codes depends on the lists, so the three sections occur together; the
// version shows whether they do.
uint16_t VersionOf(const SegmentHeader& header) {
  if (header.Find(SectionKind::kVectorChecksums)) return format::kVectorChecksumsVersion;
  return header.Find(SectionKind::kSlots) ? format::kIvfListsVersion : format::kVersion;
}
bool SectionsFitEachOther(const SegmentHeader& header) {
  const bool slots = header.Find(SectionKind::kSlots) != nullptr;
  return slots == (header.Find(SectionKind::kCellEnds) != nullptr) &&
         (!slots || header.Find(SectionKind::kSignatures) != nullptr) &&
         (header.Find(SectionKind::kVectorChecksums) == nullptr ||
          header.Find(SectionKind::kVectors) != nullptr);
}

// Null, or the name of a wrong field among those that do not depend on sections.
const char* FindFault(const SegmentHeader& header) {
  if (header.vectors == 0 || header.vectors > kMaxSegmentVectors) return "number of vectors";
  if (header.dim > kMaxSegmentDim) return "dimension";
  if (header.min_chunk > header.max_chunk ||
      header.max_chunk - header.min_chunk < header.vectors - 1) {
    return "range of chunk rowids";
  }
  return nullptr;
}

// Places a section; a parsed section must equal the one placed here. Nothing if an item does not
// fit on a page.
std::optional<SegmentSection> PlaceSection(const PageLayout& layout, SectionKind kind,
                                           uint32_t item_bytes, uint32_t items,
                                           uint32_t first_page) {
  const uint32_t room = layout.usable() - static_cast<uint32_t>(format::kPageHeaderBytes);
  if (item_bytes == 0 || item_bytes > room || items == 0) return std::nullopt;
  const uint32_t items_per_page = room / item_bytes;
  const auto pages = static_cast<uint32_t>(DivideRoundUp(items, items_per_page));
  return SegmentSection{kind, item_bytes, first_page, pages, items_per_page, items};
}

Status DamagedHeader(int64_t id, const std::string& what) {
  return Status::Corruption("segment " + std::to_string(id) + ": the header has an invalid " + what,
                            "run `recall doctor --fix`");
}

Status Contradicts(const std::string& what) {
  return Status::InvalidArgument("a new segment has an invalid " + what);
}

size_t HeaderBytes(size_t sections) {
  return sizeof(format::Header) + sections * sizeof(format::Section) + format::kChecksumBytes;
}

bool Ascends(const SegmentHeader& header, SectionKind kind) {
  return header.sections.empty() || header.sections.back().kind < kind;
}

// Adds the content's sections to the header, one after the other.
Status PlanSections(const SegmentContent& content, SegmentHeader* header) {
  if (content.sections.empty() || content.sections.size() > format::kMaxSections) {
    return Contradicts("number of sections");
  }
  for (const SegmentContent::Section& part : content.sections) {
    const std::string name = "section " + std::to_string(static_cast<int>(part.kind));
    if (part.item_bytes == 0 || part.bytes.size() % part.item_bytes != 0) return Contradicts(name);
    const size_t items = part.bytes.size() / part.item_bytes;
    if (items > std::max(header->vectors, kMaxLists)) return Contradicts(name);
    const auto placed = PlaceSection(header->layout, part.kind, part.item_bytes,
                                     static_cast<uint32_t>(items), header->pages);
    if (!placed || !Ascends(*header, part.kind) || !FitsKind(*header, *placed)) {
      return Contradicts(name);
    }
    header->sections.push_back(*placed);
    header->pages += placed->pages;
  }
  return SectionsFitEachOther(*header) ? Status::Ok() : Contradicts("set of sections");
}

// Checks everything that must hold before any field is used: magic, version, length, checksum.
Status CheckEnvelope(ByteSpan start, const format::Header& fixed, int64_t id) {
  if (!std::equal(std::begin(fixed.magic), std::end(fixed.magic),
                  std::begin(format::kHeaderMagic))) {
    return DamagedHeader(id, "magic");
  }
  if (fixed.version > format::kVectorChecksumsVersion) {
    return Status::Unsupported(
        "segment " + std::to_string(id) + " has format version " + std::to_string(fixed.version),
        "use a newer version of recall");
  }
  if (fixed.version < format::kVersion) return DamagedHeader(id, "version");
  if (fixed.section_count == 0 || fixed.section_count > format::kMaxSections ||
      fixed.header_bytes != HeaderBytes(fixed.section_count)) {
    return DamagedHeader(id, "number of sections");
  }
  if (start.size() < fixed.header_bytes) return DamagedHeader(id, "length");
  const ByteSpan encoded = start.first(fixed.header_bytes);
  const ByteSpan summed = encoded.first(encoded.size() - format::kChecksumBytes);
  if (Crc32c(summed) != SegmentHeaderCrc(encoded)) return DamagedHeader(id, "checksum");
  if (fixed.id != static_cast<uint64_t>(id)) return DamagedHeader(id, "id");
  if (fixed.reserved0 != 0 || fixed.reserved1 != 0) return DamagedHeader(id, "reserved field");
  return Status::Ok();
}

// Parses the sections, each of which must be exactly where a writer would have placed it.
Status ParseSections(const format::Header& fixed, ByteReader* reader, SegmentHeader* header) {
  uint32_t pages = 0;
  for (uint16_t i = 0; i < fixed.section_count; ++i) {
    const auto stored = reader->Read<format::Section>();
    const SegmentSection section{.kind = static_cast<SectionKind>(stored.kind),
                                 .item_bytes = stored.item_bytes,
                                 .first_page = stored.first_page,
                                 .pages = stored.pages,
                                 .items_per_page = stored.items_per_page,
                                 .items = stored.items};
    if (stored.reserved != 0 || !Ascends(*header, section.kind) || !FitsKind(*header, section) ||
        PlaceSection(header->layout, section.kind, section.item_bytes, section.items, pages) !=
            section) {
      return DamagedHeader(header->id, "section " + std::to_string(stored.kind));
    }
    header->sections.push_back(section);
    pages += section.pages;
  }
  if (!SectionsFitEachOther(*header) || VersionOf(*header) != fixed.version) {
    return DamagedHeader(header->id, "set of sections");
  }
  return pages == header->pages ? Status::Ok() : DamagedHeader(header->id, "number of pages");
}

}  // namespace

const SegmentSection* SegmentHeader::Find(SectionKind kind) const {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [kind](const SegmentSection& s) { return s.kind == kind; });
  return found == sections.end() ? nullptr : &*found;
}

const SegmentSection& SegmentHeader::SectionOf(uint32_t ordinal) const {
  const auto after = std::upper_bound(
      sections.begin(), sections.end(), ordinal,
      [](uint32_t page, const SegmentSection& section) { return page < section.first_page; });
  return *(after - 1);
}

Result<SegmentHeader> PlanSegment(const PageLayout& layout, const SegmentContent& content) {
  SegmentHeader header{.layout = layout,
                       .vectors = content.vectors,
                       .dim = content.dim,
                       .min_chunk = content.min_chunk,
                       .max_chunk = content.max_chunk,
                       .space_hash = content.space_hash,
                       .signature_bits = content.signature_bits,
                       .signature_seed = content.signature_seed,
                       .sections = {}};
  if (const char* fault = FindFault(header)) return Fail(Contradicts(fault));
  RECALL_TRY(PlanSections(content, &header));
  const std::optional<uint64_t> length = layout.BlobLength(header.pages);
  if (!length || *length > format::kMaxBlobBytes) {
    return Fail(Status::LimitExceeded("a segment of " + std::to_string(header.pages) +
                                      " pages does not fit in one row"));
  }
  header.blob_length = *length;
  header.prefix_bytes = layout.PrefixBytes(*length);
  if (header.prefix_bytes < HeaderBytes(header.sections.size())) {
    return Fail(Status::Unsupported("segments need a page size of 4096 or more"));
  }
  return header;
}

std::vector<uint8_t> EncodeSegmentHeader(const SegmentHeader& header) {
  const size_t size = HeaderBytes(header.sections.size());
  format::Header fixed{};
  std::copy(std::begin(format::kHeaderMagic), std::end(format::kHeaderMagic), fixed.magic);
  fixed.version = VersionOf(header);
  fixed.header_bytes = static_cast<uint16_t>(size);
  fixed.page_size = header.layout.page_size();
  fixed.usable = header.layout.usable();
  fixed.prefix_bytes = header.prefix_bytes;
  fixed.pages = header.pages;
  fixed.vectors = header.vectors;
  fixed.id = static_cast<uint64_t>(header.id);
  fixed.space_hash = header.space_hash;
  fixed.dim = header.dim;
  fixed.min_chunk = header.min_chunk;
  fixed.max_chunk = header.max_chunk;
  fixed.signature_bits = header.signature_bits;
  fixed.signature_seed = header.signature_seed;
  fixed.section_count = static_cast<uint16_t>(header.sections.size());

  std::vector<uint8_t> bytes(size);
  uint8_t* to = bytes.data();
  StoreLittle(to, fixed);
  to += sizeof(fixed);
  for (const SegmentSection& section : header.sections) {
    StoreLittle(to, format::Section{static_cast<uint16_t>(section.kind), 0, section.item_bytes,
                                    section.first_page, section.pages, section.items_per_page,
                                    section.items});
    to += sizeof(format::Section);
  }
  StoreLittle(to, Crc32c(ByteSpan(bytes.data(), size - format::kChecksumBytes)));
  return bytes;
}

Result<SegmentHeader> ParseSegmentHeader(ByteSpan start, int64_t id, uint64_t blob_length) {
  ByteReader reader(start);
  const auto fixed = reader.Read<format::Header>();
  if (!reader.ok()) return Fail(DamagedHeader(id, "length"));
  RECALL_TRY(CheckEnvelope(start, fixed, id));
  RECALL_ASSIGN(const PageLayout layout, PageLayout::Make(fixed.page_size, fixed.usable));
  SegmentHeader header{.layout = layout,
                       .id = id,
                       .pages = fixed.pages,
                       .blob_length = blob_length,
                       .prefix_bytes = fixed.prefix_bytes,
                       .vectors = fixed.vectors,
                       .dim = fixed.dim,
                       .min_chunk = fixed.min_chunk,
                       .max_chunk = fixed.max_chunk,
                       .space_hash = fixed.space_hash,
                       .signature_bits = fixed.signature_bits,
                       .signature_seed = fixed.signature_seed,
                       .sections = {}};
  if (const char* fault = FindFault(header)) return Fail(DamagedHeader(id, fault));
  if (header.pages == 0 || blob_length > format::kMaxBlobBytes ||
      layout.BlobLength(header.pages) != blob_length ||
      header.prefix_bytes != layout.PrefixBytes(blob_length) ||
      header.prefix_bytes < fixed.header_bytes) {
    return Fail(DamagedHeader(id, "number of pages"));
  }
  RECALL_TRY(ParseSections(fixed, &reader, &header));
  return header;
}

uint32_t SegmentHeaderCrc(ByteSpan encoded) {
  return LoadLittle<uint32_t>(encoded.data() + encoded.size() - format::kChecksumBytes);
}

}  // namespace recall
