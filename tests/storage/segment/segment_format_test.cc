#include "storage/segment/segment_format.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "storage/base/checksum.h"
#include "storage/segment/segment_header.h"
#include "storage/segment/segment_page.h"
#include "tests/storage/segment/segment_test_util.h"
#include "tests/test_paths.h"

namespace recall::testing {
namespace {

namespace format = segment_format;

PageLayout LayoutOf(uint32_t page_size) { return Must(PageLayout::Make(page_size, page_size)); }

SegmentHeader Plan(uint32_t page_size, const SegmentContent& content, int64_t id = 7) {
  SegmentHeader header = Must(PlanSegment(LayoutOf(page_size), content));
  header.id = id;
  return header;
}

void ExpectSame(const SegmentHeader& a, const SegmentHeader& b) {
  EXPECT_EQ(a.layout, b.layout);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.pages, b.pages);
  EXPECT_EQ(a.blob_length, b.blob_length);
  EXPECT_EQ(a.prefix_bytes, b.prefix_bytes);
  EXPECT_EQ(a.vectors, b.vectors);
  EXPECT_EQ(a.dim, b.dim);
  EXPECT_EQ(a.min_chunk, b.min_chunk);
  EXPECT_EQ(a.max_chunk, b.max_chunk);
  EXPECT_EQ(a.space_hash, b.space_hash);
  EXPECT_EQ(a.signature_bits, b.signature_bits);
  EXPECT_EQ(a.signature_seed, b.signature_seed);
  EXPECT_EQ(a.sections, b.sections);
}

// Corrects the checksum of a changed header.
void Reseal(std::vector<uint8_t>* header) {
  const size_t end = header->size() - format::kChecksumBytes;
  StoreLittle(header->data() + end, Crc32c(ByteSpan(header->data(), end)));
}

TEST(SegmentHeaderTest, ReadsWhatItWrote) {
  for (uint32_t page_size = 2048; page_size <= 65536; page_size *= 2) {
    for (const uint32_t vectors : {1u, 31u, 33u, 4096u, 65536u}) {
      const SegmentHeader header = Plan(page_size, MakeContent(3, vectors, 256));
      const std::vector<uint8_t> bytes = EncodeSegmentHeader(header);
      ASSERT_OK_AND_ASSIGN(const SegmentHeader parsed,
                           ParseSegmentHeader(bytes, 7, header.blob_length));
      ExpectSame(parsed, header);
    }
  }
}

TEST(SegmentHeaderTest, EveryDamagedByteIsNoticed) {
  const SegmentHeader header = Plan(65536, MakeContent(3, 1000));
  std::vector<uint8_t> bytes = EncodeSegmentHeader(header);
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] ^= static_cast<uint8_t>(1 << bit);
      EXPECT_FALSE(ParseSegmentHeader(bytes, 7, header.blob_length).has_value()) << at;
      bytes[at] ^= static_cast<uint8_t>(1 << bit);
    }
  }
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseSegmentHeader(ByteSpan(bytes).first(size), 7, header.blob_length));
  }
  EXPECT_FALSE(ParseSegmentHeader(bytes, 8, header.blob_length));
  EXPECT_FALSE(ParseSegmentHeader(bytes, 7, header.blob_length + 1));
}

// A hostile header has a right checksum. If it is accepted, following it must be safe.
TEST(SegmentHeaderTest, AcceptsOnlyWhatIsSafeToFollow) {
  const SegmentHeader header = Plan(4096, MakeContent(3, 1000));
  const std::vector<uint8_t> good = EncodeSegmentHeader(header);
  std::mt19937_64 random(TestSeed(11));
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::vector<uint8_t> bytes = good;
    for (uint64_t changes = 1 + random() % 2; changes > 0; --changes) {
      bytes[random() % (bytes.size() - 4)] = static_cast<uint8_t>(random());
    }
    Reseal(&bytes);
    const auto parsed = ParseSegmentHeader(bytes, 7, header.blob_length);
    if (!parsed) continue;
    ++accepted;
    uint32_t pages = 0;
    for (const SegmentSection& section : parsed->sections) {
      EXPECT_EQ(section.first_page, pages);
      EXPECT_GE(uint64_t{section.pages} * section.items_per_page, section.items);
      EXPECT_LE(section.items_per_page * uint64_t{section.item_bytes} + format::kPageHeaderBytes,
                parsed->layout.usable());
      pages += section.pages;
    }
    EXPECT_EQ(pages, parsed->pages);
    EXPECT_EQ(parsed->DataOffset(pages), header.blob_length);
    EXPECT_EQ(EncodeSegmentHeader(*parsed), bytes);
  }
  EXPECT_GT(accepted, 0);  // for example with another space hash
}

TEST(SegmentHeaderTest, NewerVersionIsUnsupportedNotDamaged) {
  const SegmentHeader header = Plan(4096, MakeContent(3, 10));
  std::vector<uint8_t> bytes = EncodeSegmentHeader(header);
  bytes[offsetof(format::Header, version)] = format::kVectorChecksumsVersion + 1;
  EXPECT_EQ(ParseSegmentHeader(bytes, 7, header.blob_length).error().code(),
            StatusCode::kUnsupported);
}

TEST(SegmentHeaderTest, ChecksumsOfVectorsComeWithVectorsAndTheirVersion) {
  SegmentContent content = MakeContent(3, 10);
  content.sections.push_back({SectionKind::kVectorChecksums, 4, std::vector<uint8_t>(10 * 4)});
  const SegmentHeader header = Plan(4096, content);
  std::vector<uint8_t> bytes = EncodeSegmentHeader(header);
  EXPECT_EQ(bytes[offsetof(format::Header, version)], format::kVectorChecksumsVersion);
  EXPECT_TRUE(ParseSegmentHeader(bytes, header.id, header.blob_length).has_value());
  bytes[offsetof(format::Header, version)] = format::kIvfListsVersion;
  Reseal(&bytes);
  EXPECT_EQ(ParseSegmentHeader(bytes, header.id, header.blob_length).error().code(),
            StatusCode::kCorruption);
  std::erase_if(content.sections, [](const SegmentContent::Section& section) {
    return section.kind == SectionKind::kVectors;
  });
  EXPECT_FALSE(PlanSegment(LayoutOf(4096), content).has_value()) << "no vectors";
}

TEST(SegmentHeaderTest, ListsComeTogetherAndWithTheirVersion) {
  SegmentContent content = MakeContent(3, 10);
  const SegmentHeader without = Plan(4096, content);
  content.sections.push_back({SectionKind::kCellEnds, 4, std::vector<uint8_t>(1000 * 4)});
  EXPECT_FALSE(PlanSegment(LayoutOf(4096), content).has_value()) << "no slots";
  content.sections.push_back({SectionKind::kSlots, 2, std::vector<uint8_t>(10 * 2)});
  const SegmentHeader header = Plan(4096, content);
  std::vector<uint8_t> bytes = EncodeSegmentHeader(header);
  EXPECT_EQ(bytes[offsetof(format::Header, version)], format::kIvfListsVersion);
  ASSERT_OK_AND_ASSIGN(const SegmentHeader parsed,
                       ParseSegmentHeader(bytes, header.id, header.blob_length));
  EXPECT_EQ(parsed.sections, header.sections);
  bytes[offsetof(format::Header, version)] = format::kVersion;
  Reseal(&bytes);
  EXPECT_EQ(ParseSegmentHeader(bytes, header.id, header.blob_length).error().code(),
            StatusCode::kCorruption);
  bytes = EncodeSegmentHeader(without);
  EXPECT_EQ(bytes[offsetof(format::Header, version)], format::kVersion);
  bytes[offsetof(format::Header, version)] = format::kIvfListsVersion;
  Reseal(&bytes);
  EXPECT_EQ(ParseSegmentHeader(bytes, without.id, without.blob_length).error().code(),
            StatusCode::kCorruption);
  // Too many for the smallest pages.
  EXPECT_EQ(PlanSegment(LayoutOf(2048), content).error().code(), StatusCode::kUnsupported);
  content.sections.pop_back();
  content.sections.pop_back();
  EXPECT_OK(PlanSegment(LayoutOf(2048), content));
}

TEST(SegmentHeaderTest, RefusesContentThatContradictsItself) {
  const auto refused = [](const std::function<void(SegmentContent*)>& spoil) {
    SegmentContent content = MakeContent(1, 100);
    spoil(&content);
    const auto plan = PlanSegment(LayoutOf(4096), content);
    return !plan && plan.error().code() == StatusCode::kInvalidArgument;
  };
  EXPECT_FALSE(refused([](SegmentContent*) {}));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->vectors = 0; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->vectors = kMaxSegmentVectors + 1; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->vectors = 99; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->dim = 0; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->dim = 65; }));  // the rows are 64 bytes
  EXPECT_TRUE(refused([](SegmentContent* c) { c->max_chunk = c->min_chunk + 98; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->signature_bits = 128; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->sections.clear(); }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->sections[1].bytes.pop_back(); }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->sections[1].item_bytes = 0; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->sections[1].item_bytes = 8; }));
  EXPECT_TRUE(refused([](SegmentContent* c) { std::swap(c->sections[1], c->sections[2]); }));
  EXPECT_TRUE(refused([](SegmentContent* c) { c->sections.push_back(c->sections[4]); }));
  EXPECT_TRUE(refused([](SegmentContent* c) { *c = MakeContent(1, 100, 4096); }));  // > a page
}

TEST(SegmentHeaderTest, RefusesPagesTooSmallForTheHeader) {
  EXPECT_EQ(PlanSegment(LayoutOf(512), MakeContent(1, 10, 8)).error().code(),
            StatusCode::kUnsupported);
}

TEST(SegmentPageTest, EveryDamagedByteIsNoticed) {
  const SegmentHeader header = Plan(2048, MakeContent(3, 500));
  std::vector<uint8_t> page(2048);
  const uint32_t ordinal = header.Find(SectionKind::kVectors)->first_page + 1;
  for (size_t i = format::kPageHeaderBytes; i < page.size(); ++i) {
    page[i] = static_cast<uint8_t>(i * 7);
  }
  SealPage(header, ordinal, page);
  EXPECT_OK(CheckPage(header, ordinal, page.data()));
  EXPECT_FALSE(CheckPageHeader(header, ordinal + 1, page.data()).ok());
  EXPECT_FALSE(CheckPageHeader(Plan(2048, MakeContent(3, 500), 8), ordinal, page.data()).ok());
  for (size_t at = 0; at < page.size(); ++at) {
    page[at] ^= 0x10;
    const bool sqlites = at < PageLayout::kPointerBytes;
    const bool ours = at >= PageLayout::kPointerBytes && at < format::kPageHeaderBytes;
    EXPECT_EQ(CheckPageHeader(header, ordinal, page.data()).ok(), !ours) << at;
    EXPECT_EQ(CheckPage(header, ordinal, page.data()).ok(), sqlites) << at;
    page[at] ^= 0x10;
  }
}

// The smallest possible segment: one vector of eight components.
SegmentContent SmallestContent() {
  SegmentContent content{.vectors = 1,
                         .dim = 8,
                         .min_chunk = 5,
                         .max_chunk = 5,
                         .space_hash = 0x1122'3344'5566'7788,
                         .signature_bits = 8,
                         .signature_seed = 42,
                         .sections = {}};
  std::vector<uint8_t> row = {1, 2, 3, 4, 5, 6, 7, 0xF8};
  row.resize(64);
  std::vector<uint8_t> block(32);
  block[0] = 0x7F;
  content.sections = {{SectionKind::kSignatures, 32, block},
                      {SectionKind::kChunkIds, 4, {0, 0, 0, 0}},
                      {SectionKind::kVectors, 64, row},
                      {SectionKind::kScales, 4, {0, 0, 0, 0x3F}},
                      {SectionKind::kTokenCounts, 4, {3, 0, 4, 0}}};
  return content;
}

std::string HexDump(ByteSpan bytes) {
  std::string text;
  char list[32];
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0) {
      std::snprintf(list, sizeof(list), "%s%04zx ", i == 0 ? "" : "\n", i);
      text += list;
    }
    std::snprintf(list, sizeof(list), " %02x", bytes[i]);
    text += list;
  }
  return text + "\n";
}

// The bytes of version 1, which docs/format/segment.md contains. They must never change.
TEST(SegmentGoldenTest, WritesTheBytesOfTheFormatPage) {
  std::ifstream page(SourceDir() + "/docs/format/segment.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};

  const SegmentContent content = SmallestContent();
  const SegmentHeader header = Plan(65536, content, 1);
  EXPECT_NE(text.find(HexDump(EncodeSegmentHeader(header))), std::string::npos)
      << HexDump(EncodeSegmentHeader(header));

  const SegmentSection& vectors = *header.Find(SectionKind::kVectors);
  std::vector<uint8_t> bytes(65536);
  std::copy_n(content.sections[2].bytes.begin(), 64, bytes.begin() + format::kPageHeaderBytes);
  SealPage(header, vectors.first_page, bytes);
  const std::string dump = HexDump(ByteSpan(bytes).first(80));
  EXPECT_NE(text.find(dump), std::string::npos) << dump;
}

}  // namespace
}  // namespace recall::testing
