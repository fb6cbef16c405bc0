// Bits for the trigrams of a text.
//
// The problem: a search for a pattern must not decompress every text. A list of documents for each
// trigram would be a fifth of the texts, and change everywhere with each document.
//
// The idea: each document has a set of bits of its own, in which each of its trigrams has set one
// (a Bloom filter with one hash function; Bloom, 1970). A text that lacks one of the bits lacks the
// trigram. A pattern has several trigrams, so few other texts have all bits. The set is made with
// 2^17 bits, and its upper half is laid over the lower half while at most 2/5 of the bits of the
// result are set: the number of a trigram then loses its highest bit.
//
// Invariants: the size is a power of two from 8 to 16,384 bytes. A text that has a trigram has its
// bit. Equal texts have equal bits.
//
// Cost: one pass over the text, six trigrams of eight bytes at a time and without branches; 4 % of
// the size of source code.

#include "storage/tables/text_grams.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "storage/base/ascii.h"
#include "storage/base/bytes.h"
#include "storage/base/coding.h"
#include "storage/base/swar.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/user_version.h"

namespace recall {
namespace {

constexpr uint32_t kMostGramBits = 1 << 17;
constexpr uint32_t kLeastGramBits = 1 << 6;

uint32_t NumberOf(uint32_t trigram) {
  return (trigram * 0x9E3779B1u) >> (32 - std::countr_zero(kMostGramBits));
}

// Eight bytes of a text, the first in the lowest byte, with ASCII letters in lower case.
uint64_t ToLower(uint64_t bytes) {
  const uint64_t low_bits = bytes & ~kEachHighBit;
  const uint64_t from_a = low_bits + kEachByte * (0x80 - 'A');
  const uint64_t beyond_z = low_bits + kEachByte * (0x80 - 'Z' - 1);
  const uint64_t upper = from_a & ~beyond_z & ~bytes & kEachHighBit;
  return bytes | upper >> 2;  // 0x80 becomes the bit of case
}

// Marks the bytes that are 0, and no others.
uint64_t ExactZeroBytes(uint64_t bytes) {
  return ~(((bytes & ~kEachHighBit) + ~kEachHighBit) | bytes) & kEachHighBit;
}

// Calls visit(number, position) for each trigram within a line that begins at or after `begin`.
template <typename Visit>
void VisitGrams(std::string_view text, size_t begin, const Visit& visit) {
  uint32_t trigram = 0;
  size_t known = 0;  // bytes of the line before this one
  for (size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      known = 0;
      continue;
    }
    trigram = (trigram << 8 | static_cast<unsigned char>(ToAsciiLower(c))) & 0xFFFFFF;
    if (++known >= 3) visit(NumberOf(trigram), i - 2);
  }
}

using GramWords = std::array<uint64_t, kMostGramBits / 64>;

// Sets the bits of the text's trigrams. One that contains the end of a line sets no bit: its bit is
// shifted in as 0, because a branch for it would often be predicted wrongly.
void SetGrams(std::string_view text, GramWords* words) {
  constexpr size_t kBytes = sizeof(uint64_t);
  constexpr size_t kGrams = kBytes - 2;
  size_t at = 0;
  for (; at + kBytes <= text.size(); at += kGrams) {
    const auto bytes = LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(text.data()) + at);
    const uint64_t ends = ExactZeroBytes(bytes ^ kEachByte * '\n');
    const uint64_t within = ~(ends | ends >> 8 | ends >> 16) >> 7;
    const uint64_t in_order = __builtin_bswap64(ToLower(bytes));
    for (size_t i = 0; i < kGrams; ++i) {
      const uint32_t number = NumberOf(in_order >> (40 - 8 * i) & 0xFFFFFF);
      (*words)[number / 64] |= (within >> 8 * i & 1) << number % 64;
    }
  }
  VisitGrams(text, at,
             [&](uint32_t number, size_t) { (*words)[number / 64] |= uint64_t{1} << number % 64; });
}

}  // namespace

std::string MakeTextGrams(std::string_view text) {
  const auto words = std::make_unique<GramWords>();
  SetGrams(text, words.get());
  size_t size = words->size();
  const auto folded = [&](size_t i) { return (*words)[i] | (*words)[i + size / 2]; };
  while (size > kLeastGramBits / 64) {
    size_t set = 0;
    for (size_t i = 0; i < size / 2; ++i) set += static_cast<size_t>(std::popcount(folded(i)));
    if (set * 5 > size / 2 * 64 * 2) break;
    for (size_t i = 0; i < size / 2; ++i) (*words)[i] = folded(i);
    size /= 2;
  }
  std::string grams(size * 8, '\0');
  for (size_t i = 0; i < size; ++i) {
    StoreLittle(reinterpret_cast<uint8_t*>(grams.data()) + 8 * i, (*words)[i]);
  }
  return grams;
}

std::vector<uint32_t> GramNumbers(std::string_view text,
                                  const std::function<bool(std::string_view)>& counts) {
  std::vector<uint32_t> numbers;
  VisitGrams(text, 0, [&](uint32_t number, size_t begin) {
    if (counts(text.substr(begin, 3))) numbers.push_back(number);
  });
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  return numbers;
}

bool MayHaveGrams(ByteSpan grams, const std::vector<uint32_t>& numbers) {
  const size_t bits = grams.size() * 8;
  if (bits < kLeastGramBits || bits > kMostGramBits || !std::has_single_bit(bits)) return true;
  return std::ranges::all_of(numbers, [&](uint32_t number) {
    const size_t bit = number & (bits - 1);
    return (static_cast<unsigned>(grams[bit / 8]) >> (bit % 8) & 1) != 0;
  });
}

Status ScanTextGrams(Connection& connection,
                     const std::function<void(int64_t doc_row, ByteSpan grams)>& visit) {
  constexpr int64_t kFirstFormatOfGrams = 17;
  RECALL_ASSIGN(const bool recorded, FormatIsAtLeast(connection, kFirstFormatOfGrams));
  if (!recorded) return Status::Ok();
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT doc, data FROM text_grams ORDER BY doc"));
  const StatementScope select(cached);
  for (;;) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) return Status::Ok();
    visit(select->ColumnInt(0), select->ColumnBlob(1));
  }
}

Result<std::string> FindTextGrams(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT data FROM text_grams WHERE doc = ?1"));
  const StatementScope select(cached);
  select->BindInt(1, doc_row);
  RECALL_ASSIGN(const bool row, select->Step());
  return row ? std::string(AsText(select->ColumnBlob(0))) : std::string();
}

Status InsertTextGrams(Connection& connection, int64_t doc_row, std::string_view grams) {
  if (grams.empty()) return Status::Ok();
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO text_grams(doc, data) VALUES(?1, ?2)"));
  insert->BindInt(1, doc_row);
  insert->BindBlob(2, AsBytes(grams));
  return insert->Run();
}

Status DeleteTextGrams(Connection& connection, int64_t doc_row) {
  RECALL_ASSIGN(Statement * remove, connection.Cached("DELETE FROM text_grams WHERE doc = ?1"));
  remove->BindInt(1, doc_row);
  return remove->Run();
}

}  // namespace recall
