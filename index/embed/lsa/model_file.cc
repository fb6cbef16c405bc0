#include "index/embed/lsa/model_file.h"

#include <algorithm>

#include "index/embed/lsa/model_format.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checked_math.h"
#include "storage/base/checksum.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

namespace format = model_format;

size_t HeaderBytes(size_t sections) {
  return sizeof(format::Header) + sections * sizeof(format::Section) + format::kChecksumBytes;
}

Status DamagedModelFile(const std::string& what) {
  return Status::Corruption("the model has an invalid " + what,
                            "train it again with `recall compact`");
}

// Checks the fields that must be valid before any other field is used. Returns the bytes of the
// header.
Result<ByteSpan> CheckEnvelope(ByteSpan bytes, const format::Header& header) {
  if (bytes.size() < sizeof(format::Header)) return Fail(DamagedModelFile("length"));
  if (!std::equal(std::begin(header.magic), std::end(header.magic), std::begin(format::kMagic))) {
    return Fail(DamagedModelFile("magic"));
  }
  if (header.version > format::kVersion) {
    return Fail(
        Status::Unsupported("the model has format version " + std::to_string(header.version),
                            "use a newer version of recall"));
  }
  if (header.version != format::kVersion) return Fail(DamagedModelFile("version"));
  if (header.section_count == 0 || header.section_count > format::kMaxSections ||
      header.header_bytes != HeaderBytes(header.section_count)) {
    return Fail(DamagedModelFile("number of sections"));
  }
  if (header.total_bytes != bytes.size() || header.header_bytes > bytes.size()) {
    return Fail(DamagedModelFile("length"));
  }
  const ByteSpan encoded = bytes.first(header.header_bytes);
  const ByteSpan summed = encoded.first(encoded.size() - format::kChecksumBytes);
  if (Crc32c(summed) != LoadLittle<uint32_t>(encoded.data() + summed.size())) {
    return Fail(DamagedModelFile("checksum"));
  }
  if (header.flags != 0 || header.reserved != 0) return Fail(DamagedModelFile("reserved field"));
  return encoded;
}

bool IsZero(ByteSpan bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
}

}  // namespace

std::string EncodeModel(std::vector<ModelSection> sections) {
  RECALL_CHECK(!sections.empty() && sections.size() <= format::kMaxSections);
  std::sort(sections.begin(), sections.end(),
            [](const ModelSection& a, const ModelSection& b) { return a.id < b.id; });
  format::Header header{};
  std::copy(std::begin(format::kMagic), std::end(format::kMagic), header.magic);
  header.version = format::kVersion;
  header.section_count = static_cast<uint16_t>(sections.size());
  header.header_bytes = static_cast<uint32_t>(HeaderBytes(sections.size()));

  std::vector<format::Section> table;
  uint64_t end = header.header_bytes;
  for (const ModelSection& section : sections) {
    RECALL_CHECK(table.empty() || table.back().id < section.id);
    const uint64_t offset = RoundUp(end, format::kSectionAlignment);
    end = offset + section.bytes.size();
    table.push_back({section.id, Crc32c(AsBytes(section.bytes)), offset, section.bytes.size(), 0});
  }
  header.total_bytes = end;

  std::string bytes;
  bytes.reserve(end);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof(header));
  bytes.append(reinterpret_cast<const char*>(table.data()), table.size() * sizeof(table[0]));
  uint8_t checksum[format::kChecksumBytes];
  StoreLittle(checksum, Crc32c(AsBytes(bytes)));
  bytes.append(reinterpret_cast<const char*>(checksum), sizeof(checksum));
  for (size_t i = 0; i < sections.size(); ++i) {
    bytes.resize(table[i].offset, '\0');
    bytes += sections[i].bytes;
  }
  return bytes;
}

Result<ModelFile> ModelFile::Open(ByteSpan bytes) {
  ByteReader reader(bytes);
  const auto header = reader.Read<format::Header>();
  RECALL_ASSIGN(const ByteSpan encoded, CheckEnvelope(bytes, header));
  ModelFile file;
  file.fingerprint_ = LoadLittle<uint64_t>(Sha256(AsText(encoded)).data());
  uint64_t end = header.header_bytes;
  for (uint16_t i = 0; i < header.section_count; ++i) {
    const auto section = reader.Read<format::Section>();
    // Sections are consecutive, with only zeros as padding between them.
    if (section.offset != RoundUp(end, format::kSectionAlignment) ||
        section.offset > bytes.size() || section.bytes > bytes.size() - section.offset ||
        section.reserved != 0 || !IsZero(bytes.subspan(end, section.offset - end)) ||
        (i > 0 && section.id <= file.entries_.back().id)) {
      return Fail(DamagedModelFile("section " + std::to_string(section.id)));
    }
    file.entries_.push_back(
        {section.id, section.checksum, bytes.subspan(section.offset, section.bytes)});
    end = section.offset + section.bytes;
  }
  if (end != bytes.size()) return Fail(DamagedModelFile("length"));
  return file;
}

std::optional<ByteSpan> ModelFile::Find(uint32_t id) const {
  for (const Entry& entry : entries_) {
    if (entry.id == id) return entry.bytes;
  }
  return std::nullopt;
}

Status ModelFile::Verify(uint32_t id) const {
  for (const Entry& entry : entries_) {
    if (entry.id == id && Crc32c(entry.bytes) == entry.checksum) return Status::Ok();
  }
  return DamagedModelFile("section " + std::to_string(id));
}

}  // namespace recall
