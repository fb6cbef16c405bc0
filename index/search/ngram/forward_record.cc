#include "index/search/ngram/forward_record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "index/search/ngram/ngram_scanner.h"

namespace recall {
namespace {

// The forward index: the words of each chunk, in place of its text.
//
// Problem. A hybrid search scores the character n-grams of a hundred chunks. Reading and
// decompressing their texts, and cutting these into n-grams, takes several times as long as the
// rest of the search.
//
// Idea. The n-grams of a text follow from its words and how often each occurs; their order does not
// matter. So a chunk needs only a list of word numbers, about a twelfth of its text. A scorer
// (forward_scorer.h) looks at each different word once for all chunks of a query. Most words of a
// store are rare, so the dictionary has only the most frequent ones. The others are spelt out where
// they occur: looking them up in a large dictionary would cost a memory access each, and take as
// many bytes.
//
//   "The colour of colours: xyzzy"     "the", "of": function words
//   dictionary 17 = colour, 911 = colours
//   record     n-grams 15 | 2 listed: 17, 911 | spelt: xyzzy
//
// Invariants. The record of a chunk is a function of heading, text and dictionary, so that it can
// be checked by making it again. Numbers ascend, and spelt words are in byte order.
//
// Cost of a record: one look-up for each word of the text. Text repeats its words, so the numbers
// of the words of recent segments are remembered, in a table of 512 KiB. The numbers that occur are
// marked in a bitmap, which yields them in order.

constexpr uint32_t kNumberBits = 16;
constexpr uint32_t kNumberMask = (1u << kNumberBits) - 1;
static_assert(WordDictionary::kMostWords < kNumberMask);

uint64_t HashOfWord(std::string_view word) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  uint64_t hash = word.size();
  const auto* at = reinterpret_cast<const uint8_t*>(word.data());
  size_t left = word.size();
  for (; left >= sizeof(uint64_t); left -= sizeof(uint64_t), at += sizeof(uint64_t)) {
    hash = (hash ^ LoadLittle<uint64_t>(at)) * kMultiplier;
    hash ^= hash >> 32;
  }
  uint64_t last = 0;
  for (size_t i = 0; i < left; ++i) last = last << 8 | at[i];
  hash = (hash ^ last) * kMultiplier;
  return hash ^ hash >> 32;
}

}  // namespace

Status ForwardRecordReader::Damaged() {
  return Status::Corruption("the words of a chunk in the forward index are damaged",
                            "run `recall doctor --fix`");
}

WordNumbers::WordNumbers(const WordDictionary& dictionary)
    : dictionary_(dictionary),
      slots_(std::bit_ceil(size_t{4} * dictionary.size() + 1)),
      ngrams_(dictionary.size()) {
  std::string marked;
  for (uint32_t number = 0; number < dictionary.size(); ++number) {
    const std::string_view word = dictionary.word(number);
    marked.assign(1, '<').append(word).push_back('>');
    ngrams_[number] = static_cast<uint8_t>(CountWordNgrams(marked));
    if (Find(word) != kNone) continue;  // the first one counts
    const uint64_t hash = HashOfWord(word);
    size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<uint32_t>(hash >> 32) << kNumberBits | (number + 1);
  }
}

uint32_t WordNumbers::Find(std::string_view word) const {
  const uint64_t hash = HashOfWord(word);
  const uint32_t part = static_cast<uint32_t>(hash >> 32) << kNumberBits;
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    if ((slots_[slot] & ~kNumberMask) != part) continue;
    const uint32_t number = (slots_[slot] & kNumberMask) - 1;
    if (dictionary_.word(number) == word) return number;
  }
  return kNone;
}

// The words of a segment, if it is short and they are few and all in the dictionary.
struct ForwardRecordWriter::Remembered {
  static constexpr size_t kMostBytes = 24;
  static constexpr size_t kMostWords = 3;
  using Key = std::array<uint64_t, kMostBytes / sizeof(uint64_t)>;

  Key key{};  // the segment, filled up with zeros; all 0: the entry is free
  uint8_t words = 0;
  uint8_t ngrams = 0;
  std::array<uint16_t, kMostWords> numbers{};

  // Requires: at most kMostBytes bytes, of a text that ends at `end`. Whole words are loaded, with
  // the bytes that follow: copying the segment first would delay each load until it is stored.
  static Key KeyOf(std::string_view segment, const char* end) {
    Key key{};
    if (end - segment.data() < static_cast<ptrdiff_t>(kMostBytes)) {
      std::memcpy(key.data(), segment.data(), segment.size());
      return key;
    }
    const auto* const at = reinterpret_cast<const uint8_t*>(segment.data());
    const Key& mask = kMasks[segment.size()];
    for (size_t i = 0; i < key.size(); ++i) {
      key[i] = LoadLittle<uint64_t>(at + i * sizeof(uint64_t)) & mask[i];
    }
    return key;
  }
  // operator== of arrays calls memcmp.
  bool Is(const Key& other) const {
    return ((key[0] ^ other[0]) | (key[1] ^ other[1]) | (key[2] ^ other[2])) == 0;
  }

  // By the number of bytes.
  static constexpr std::array<Key, kMostBytes + 1> kMasks = [] {
    std::array<Key, kMostBytes + 1> masks{};
    for (size_t bytes = 0; bytes <= kMostBytes; ++bytes) {
      for (size_t i = 0; i < bytes; ++i) {
        masks[bytes][i / sizeof(uint64_t)] |= uint64_t{0xff} << 8 * (i % sizeof(uint64_t));
      }
    }
    return masks;
  }();
};

// The segments that share a cache line, the one that was analysed last first.
struct alignas(64) ForwardRecordWriter::CacheLine {
  static constexpr int kBits = 13;

  std::array<Remembered, 2> entries;

  static size_t IndexOf(const Remembered::Key& key) {
    const uint64_t hash =
        key[0] * 0x9e3779b97f4a7c15 + key[1] * 0xbf58476d1ce4e5b9 + key[2] * 0x94d049bb133111eb;
    return hash >> (64 - kBits);
  }
  const Remembered* Find(const Remembered::Key& key) const {
    for (const Remembered& entry : entries) {
      if (entry.Is(key)) return &entry;
    }
    return nullptr;
  }
  void Insert(const Remembered& entry) {
    entries[1] = entries[0];
    entries[0] = entry;
  }
};

ForwardRecordWriter::ForwardRecordWriter(const WordNumbers& numbers)
    : numbers_(numbers),
      segments_(size_t{1} << CacheLine::kBits),
      occurrences_(numbers.dictionary().size()),
      listed_((numbers.dictionary().size() + 63) / 64) {}

ForwardRecordWriter::~ForwardRecordWriter() = default;

void ForwardRecordWriter::CountListed(uint32_t number) {
  if (occurrences_[number]++ > 0) return;
  listed_[number / 64] |= uint64_t{1} << number % 64;
  ++listed_count_;
}

// Returns: the number of the word, or WordNumbers::kNone.
uint32_t ForwardRecordWriter::Count(std::string_view marked) {
  const std::string_view word = marked.substr(1, marked.size() - 2);
  const uint32_t number = numbers_.Find(word);
  if (number != WordNumbers::kNone) {
    ngrams_ += numbers_.ngrams(number);
    CountListed(number);
    return number;
  }
  ngrams_ += CountWordNgrams(marked);
  spelt_.push_back({static_cast<uint32_t>(spelt_text_.size()), static_cast<uint32_t>(word.size())});
  spelt_text_ += word;
  return number;
}

// Counts the words of a segment. Returns: false if it cannot be remembered.
bool ForwardRecordWriter::Analyse(std::string_view segment, Remembered* entry) {
  bool fits = true;
  const uint64_t before = ngrams_;
  WordScanner::VisitAsciiSegment(segment, [&](std::string_view marked) {
    const uint32_t number = Count(marked);
    fits = fits && number != WordNumbers::kNone && entry->words < Remembered::kMostWords;
    if (fits) entry->numbers[entry->words++] = static_cast<uint16_t>(number);
  });
  entry->ngrams = static_cast<uint8_t>(ngrams_ - before);
  return fits;
}

// A segment whose line of segments_ is on its way to the cache of the CPU.
struct ForwardRecordWriter::Pending {
  std::string_view segment;
  Remembered::Key key;
  CacheLine* line;
};

void ForwardRecordWriter::CountPending() {
  for (const Pending& pending : pending_) {
    if (const Remembered* const entry = pending.line->Find(pending.key)) {
      ngrams_ += entry->ngrams;
      for (size_t i = 0; i < entry->words; ++i) CountListed(entry->numbers[i]);
    } else {
      Remembered found{.key = pending.key};
      if (Analyse(pending.segment, &found)) pending.line->Insert(found);
    }
  }
  pending_.clear();
}

// The order of words does not matter, so lines are requested some segments ahead of their use.
void ForwardRecordWriter::CountText(std::string_view text) {
  constexpr size_t kAhead = 24;
  const char* const end = text.data() + text.size();
  const auto count = [this](std::string_view word) { Count(word); };
  const auto ascii = [&](std::string_view segment) {
    if (segment.size() > Remembered::kMostBytes) {
      return WordScanner::VisitAsciiSegment(segment, count);
    }
    const Remembered::Key key = Remembered::KeyOf(segment, end);
    CacheLine* const line = &segments_[CacheLine::IndexOf(key)];
    __builtin_prefetch(line);
    pending_.push_back({segment, key, line});
    if (pending_.size() == kAhead) CountPending();
  };
  WordScanner::ForEachSegment(
      text, ascii, [&](std::string_view segment) { scanner_.VisitOtherSegment(segment, count); });
  CountPending();
}

void ForwardRecordWriter::AppendListed(std::string* record) {
  AppendVarint(std::exchange(listed_count_, 0), record);
  uint32_t next = 0;
  for (size_t i = 0; i < listed_.size(); ++i) {
    for (uint64_t bits = std::exchange(listed_[i], 0); bits != 0; bits &= bits - 1) {
      const auto number =
          static_cast<uint32_t>(64 * i) + static_cast<uint32_t>(std::countr_zero(bits));
      const uint32_t occurrences = std::exchange(occurrences_[number], 0);
      const bool repeated = occurrences > 1;
      AppendVarint(uint64_t{number - next} * 2 + (repeated ? 1 : 0), record);
      if (repeated) AppendVarint(occurrences - 2, record);
      next = number + 1;
    }
  }
}

void ForwardRecordWriter::AppendSpelt(std::string* record) {
  std::ranges::sort(spelt_, {}, [this](const Spelt& word) { return TextOf(word); });
  for (size_t i = 0, end; i < spelt_.size(); i = end) {
    const std::string_view word = TextOf(spelt_[i]);
    for (end = i + 1; end < spelt_.size() && TextOf(spelt_[end]) == word;) ++end;
    const bool repeated = end - i > 1;
    record->push_back(static_cast<char>(word.size() | (repeated ? forward_format::kRepeated : 0u)));
    *record += word;
    if (repeated) AppendVarint(end - i - 2, record);
  }
  spelt_.clear();
  spelt_text_.clear();
}

std::string ForwardRecordWriter::Write(std::string_view heading, std::string_view text) {
  ngrams_ = 0;
  CountText(heading);
  CountText(text);
  std::string record;
  AppendVarint(ngrams_, &record);
  AppendListed(&record);
  AppendSpelt(&record);
  return record;
}

}  // namespace recall
