#include "index/base/lexicon/lexicon.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>

#include "index/base/lexicon/lexicon_bytes.h"
#include "index/base/lexicon/lexicon_format.h"
#include "storage/base/check.h"

namespace recall {
namespace {

namespace format = lexicon_format;

using format::Block;

constexpr uint32_t BlocksOf(uint32_t stems) {
  return (stems + format::kBlock - 1) / format::kBlock;
}

// The record of concepts, or of relatives, behind this one.
const uint8_t* NextConcepts(const uint8_t* record) {
  return record + 1 + size_t{format::kConceptBytes} * record[0];
}
const uint8_t* NextRelatives(const uint8_t* record) {
  bool more = true;
  while (more) {
    more = (*record & format::kMore) != 0;
    record += 1 + sizeof(uint16_t) * (*record & format::kCount);
  }
  return record;
}

// Reads the text at `record`. `stem`: the one before it, and then its own. Returns: its ending, and
// how much of the stem that replaces.
struct Ending {
  size_t dropped = 0;
  std::string_view text;
  const uint8_t* end() const { return reinterpret_cast<const uint8_t*>(text.data() + text.size()); }
};
Ending ReadText(const uint8_t* record, std::string* stem) {
  stem->resize(record[0]);
  const uint8_t lengths = record[1];
  record += 2;
  for (; (*record & format::kLast) == 0; ++record) *stem += static_cast<char>(*record);
  *stem += static_cast<char>(*record++ & ~format::kLast);
  return {size_t{lengths} >> 4, {reinterpret_cast<const char*>(record), lengths & 15u}};
}

}  // namespace

struct Lexicon::Spelling {
  std::string stem;
  Ending ending;
};

const Lexicon& Lexicon::Builtin() {
  static const Lexicon lexicon = [] {
    std::optional<Lexicon> opened = Open(LexiconBytes());
    RECALL_CHECK(opened.has_value());
    return *opened;
  }();
  return lexicon;
}

std::optional<Lexicon> Lexicon::Open(ByteSpan bytes) {
  if (bytes.size() < sizeof(format::Header)) return std::nullopt;
  format::Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const uint64_t blocks = (uint64_t{BlocksOf(header.stems)} + 1) * sizeof(Block);
  const uint64_t records =
      uint64_t{header.text_bytes} + header.concept_bytes + header.relative_bytes;
  if (header.magic != format::kMagic || bytes.size() != sizeof(header) + blocks + records) {
    return std::nullopt;
  }
  Lexicon lexicon;
  lexicon.hash_ = header.hash;
  lexicon.stems_ = header.stems;
  lexicon.concept_count_ = header.concept_count;
  lexicon.blocks_ = bytes.data() + sizeof(header);
  lexicon.texts_ = lexicon.blocks_ + blocks;
  lexicon.concepts_ = lexicon.texts_ + header.text_bytes;
  lexicon.relatives_ = lexicon.concepts_ + header.concept_bytes;
  std::ranges::copy(header.similarities, lexicon.similarities_.begin());
  return lexicon;
}

std::string Lexicon::name() const {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash_ >> shift & 15];
  return digits;
}

std::string Lexicon::FirstOf(uint32_t block) const {
  std::string stem;
  ReadText(texts_ + BlockStart(block, offsetof(Block, text)), &stem);
  return stem;
}

Lexicon::Spelling Lexicon::Spell(uint32_t number) const {
  Spelling spelling;
  const uint8_t* record = texts_ + BlockStart(number / format::kBlock, offsetof(Block, text));
  for (uint32_t i = 0; i <= number % format::kBlock; ++i) {
    spelling.ending = ReadText(record, &spelling.stem);
    record = spelling.ending.end();
  }
  return spelling;
}

std::string Lexicon::stem(uint32_t number) const { return Spell(number).stem; }

std::string Lexicon::word(uint32_t number) const {
  Spelling spelling = Spell(number);
  spelling.stem.resize(spelling.stem.size() - spelling.ending.dropped);
  return spelling.stem.append(spelling.ending.text);
}

std::optional<uint32_t> Lexicon::Find(std::string_view stem_text) const {
  // The last block whose first stem is not greater.
  uint32_t first = 0;
  uint32_t end = BlocksOf(stems_);
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if (FirstOf(middle) <= stem_text) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  if (first == 0) return std::nullopt;
  const uint32_t block = first - 1;
  const uint8_t* record = texts_ + BlockStart(block, offsetof(Block, text));
  std::string stem;
  for (uint32_t i = block * format::kBlock; i < stems_ && i < first * format::kBlock; ++i) {
    record = ReadText(record, &stem).end();
    if (stem >= stem_text) return stem == stem_text ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<Lexicon::Concept> Lexicon::ConceptsOf(uint32_t stem) const {
  const uint8_t* record = concepts_ + BlockStart(stem / format::kBlock, offsetof(Block, concepts));
  for (uint32_t i = 0; i < stem % format::kBlock; ++i) record = NextConcepts(record);
  std::vector<Concept> concepts;
  const uint8_t* const end = NextConcepts(record);
  for (++record; record < end; record += format::kConceptBytes) {
    concepts.push_back(
        {LoadLittle<uint16_t>(record), static_cast<float>(record[2]) / format::kUnit});
  }
  return concepts;
}

std::vector<Lexicon::Relative> Lexicon::RelativesOf(uint32_t stem) const {
  const uint8_t* record =
      relatives_ + BlockStart(stem / format::kBlock, offsetof(Block, relatives));
  for (uint32_t i = 0; i < stem % format::kBlock; ++i) record = NextRelatives(record);
  std::vector<Relative> relatives;
  bool more = true;
  while (more) {
    const uint8_t group = *record++;
    more = (group & format::kMore) != 0;
    const double similarity = static_cast<double>(similarities_[group >> 6]) / format::kUnit;
    for (int i = 0; i < (group & format::kCount); ++i, record += sizeof(uint16_t)) {
      relatives.push_back({LoadLittle<uint16_t>(record), similarity});
    }
  }
  return relatives;
}

std::vector<Lexicon::Relative> Lexicon::SharingConcepts(uint32_t stem) const {
  std::vector<uint32_t> weights(concept_count_);
  const uint8_t* record = concepts_ + BlockStart(stem / format::kBlock, offsetof(Block, concepts));
  for (uint32_t i = 0; i < stem % format::kBlock; ++i) record = NextConcepts(record);
  const uint8_t* end = NextConcepts(record);
  for (++record; record < end; record += format::kConceptBytes) {
    weights[LoadLittle<uint16_t>(record)] = record[2];
  }
  std::vector<Relative> sharing;
  record = concepts_;
  for (uint32_t other = 0; other < stems_; ++other) {
    uint32_t sum = 0;
    end = NextConcepts(record);
    for (++record; record < end; record += format::kConceptBytes) {
      sum += weights[LoadLittle<uint16_t>(record)] * record[2];
    }
    if (sum == 0 || other == stem) continue;
    sharing.push_back({other, static_cast<double>(sum) / (format::kUnit * format::kUnit)});
  }
  std::ranges::stable_sort(sharing, std::greater(), &Relative::similarity);
  return sharing;
}

}  // namespace recall
