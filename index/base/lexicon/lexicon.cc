#include "index/base/lexicon/lexicon.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "index/base/lexicon/lexicon_bytes.h"
#include "index/base/lexicon/lexicon_format.h"
#include "storage/base/check.h"

namespace recall {
namespace {

namespace format = lexicon_format;

enum Field : size_t { kText, kConcepts, kRelatives };

}  // namespace

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
  const uint64_t text = (uint64_t{header.text_bytes} + 3) / 4 * 4;
  const uint64_t starts = (uint64_t{header.stems} + 1) * sizeof(format::Stem);
  const uint64_t entries = 4 * (uint64_t{header.concepts} + header.relatives);
  if (header.magic != format::kMagic || bytes.size() != sizeof(header) + text + starts + entries) {
    return std::nullopt;
  }
  Lexicon lexicon;
  lexicon.hash_ = header.hash;
  lexicon.stems_ = header.stems;
  lexicon.concept_count_ = header.concept_count;
  lexicon.text_ = bytes.data() + sizeof(header);
  lexicon.starts_ = lexicon.text_ + text;
  lexicon.concepts_ = lexicon.starts_ + starts;
  lexicon.relatives_ = lexicon.concepts_ + 4 * size_t{header.concepts};
  return lexicon;
}

std::string Lexicon::name() const {
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash_ >> shift & 15];
  return digits;
}

std::string_view Lexicon::stem(uint32_t number) const {
  const uint32_t first = start(number, kText);
  const size_t ending = text_[first + 1];
  return {reinterpret_cast<const char*>(text_) + first + format::kTextHeader,
          start(number + 1, kText) - first - format::kTextHeader - ending};
}

std::string Lexicon::word(uint32_t number) const {
  const std::string_view all = stem(number);
  const uint8_t* const header = text_ + start(number, kText);
  return std::string(all.substr(0, all.size() - header[0])).append(all.end(), header[1]);
}

std::optional<uint32_t> Lexicon::Find(std::string_view stem_text) const {
  uint32_t first = 0;
  uint32_t end = stems_;
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if (stem(middle) < stem_text) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  if (first == stems_ || stem(first) != stem_text) return std::nullopt;
  return first;
}

std::vector<Lexicon::Concept> Lexicon::ConceptsOf(uint32_t stem) const {
  std::vector<Concept> concepts;
  for (size_t i = start(stem, kConcepts); i < start(stem + 1, kConcepts); ++i) {
    const auto entry = LoadLittle<uint32_t>(concepts_ + 4 * i);
    concepts.push_back({entry >> 8, static_cast<float>(entry & 255) / format::kUnit});
  }
  return concepts;
}

std::vector<Lexicon::Relative> Lexicon::RelativesOf(uint32_t stem) const {
  std::vector<Relative> relatives;
  for (size_t i = start(stem, kRelatives); i < start(stem + 1, kRelatives); ++i) {
    const auto entry = LoadLittle<uint32_t>(relatives_ + 4 * i);
    relatives.push_back({entry >> 8, static_cast<double>(entry & 255) / format::kUnit});
  }
  return relatives;
}

std::vector<Lexicon::Relative> Lexicon::SharingConcepts(uint32_t stem) const {
  std::vector<uint32_t> weights(concept_count_);
  for (size_t i = start(stem, kConcepts); i < start(stem + 1, kConcepts); ++i) {
    const auto entry = LoadLittle<uint32_t>(concepts_ + 4 * i);
    weights[entry >> 8] = entry & 255;
  }
  std::vector<Relative> sharing;
  for (uint32_t other = 0; other < stems_; ++other) {
    uint32_t sum = 0;
    for (size_t i = start(other, kConcepts); i < start(other + 1, kConcepts); ++i) {
      const auto entry = LoadLittle<uint32_t>(concepts_ + 4 * i);
      sum += weights[entry >> 8] * (entry & 255);
    }
    if (sum == 0 || other == stem) continue;
    sharing.push_back({other, static_cast<double>(sum) / (format::kUnit * format::kUnit)});
  }
  std::ranges::stable_sort(sharing, std::greater(), &Relative::similarity);
  return sharing;
}

}  // namespace recall
