#include "storage/fts5/fts_postings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "storage/base/swar.h"

namespace recall {
namespace {

// Encodes the postings of up to 64 chunks in FTS5's format, in three steps that each touch memory
// in order:
//
//   1 AddText   split the text into tokens, eight bytes at a time; find the list of each token in a
//               hash table; append (list, row, position) to occurrences_
//   2 Take      group the occurrences by list, with a counting sort that keeps their order
//   3 Take      encode each list as varints (fts_postings.h)
//
// Splitting: XOR with eight spaces turns spaces into zero bytes, and ZeroBytes finds the first one.
// A token of at most 16 bytes, nearly every one, is kept as two 64-bit words, padded with zeros. So
// it is hashed and compared without a loop over its bytes. For a longer token the second word is a
// hash, and the bytes are compared as well. Slots are requested some tokens ahead of their use.
//
// Invariants: rows and positions ascend within a list, because texts are added in order and the
// sort is stable. The lists of one FtsPostings have distinct tokens. The encoding needs no row
// numbers except differences, so it does not depend on the first row, which the writing thread
// assigns (fts_batch.h).
//
// Cost: 0.45 s of all workers for 115 MB of text (docs/decisions/0025-runs-of-our-own.md); about 20
// bytes an occurrence.

constexpr uint32_t kCompound = uint32_t{1} << 31;
constexpr size_t kLeastTermSlots = 1024;
constexpr size_t kMostKept = 1 << 20;  // occurrences whose memory is kept for the next batch
constexpr size_t kWord = sizeof(uint64_t);

uint64_t LoadWord(const char* at) {
  return LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(at));
}

// The number of bytes before the first space of eight bytes; 8 if there is no space.
size_t BytesBeforeSpace(uint64_t word) {
  return static_cast<size_t>(std::countr_zero(ZeroBytes(word ^ kEachByte * ' '))) / 8;
}

// The first `size` of eight bytes. Requires: size <= 8.
uint64_t FirstOf(uint64_t word, size_t size) {
  return size == kWord ? word : word & ((uint64_t{1} << 8 * size) - 1);
}

// A hash step as in wyhash (Wang Yi): the two halves of a 128-bit product, XORed.
uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0xa0761d6478bd642f) * (b ^ 0xe7037ed1a0b428db);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Of a number below 2^32.
constexpr size_t kMostVarintBytes = 5;

// Writes a varint as AppendVarint does. Returns: its end.
uint8_t* WriteVarint32(uint32_t value, uint8_t* to) {
  if (value < 0x80) {
    *to = static_cast<uint8_t>(value);
    return to + 1;
  }
  size_t bytes = 2;
  for (uint32_t rest = value >> 14; rest != 0; rest >>= 7) ++bytes;
  for (size_t i = bytes; i-- > 0; value >>= 7) {
    to[i] = static_cast<uint8_t>((value & 0x7f) | (i + 1 < bytes ? 0x80 : 0));
  }
  return to + bytes;
}

// Requires: at least eight bytes after the last one are readable.
uint64_t HashLong(const char* bytes, size_t size) {
  uint64_t hash = size;
  for (size_t i = 0; i < size; i += kWord) {
    hash = Mix(hash, FirstOf(LoadWord(bytes + i), std::min(size - i, kWord)));
  }
  return hash;
}

}  // namespace

void FtsPostingsBuilder::AddRow(std::string_view body, std::string_view compound) {
  AddText(body, 0);
  AddText(compound, kCompound);
  ++made_.rows_;
}

// Tokens are read eight bytes at a time, so two words of spaces are appended to the text.
void FtsPostingsBuilder::AddText(std::string_view text, uint32_t column_mark) {
  text_.assign(text);
  text_.append(2 * kWord, ' ');
  const char* at = text_.data();
  const char* const end = at + text.size();
  uint32_t position = 0;
  std::array<Pending, kPending> pending;
  size_t count = 0;
  const auto add_pending = [&] {
    for (const Pending& token : std::span(pending).first(std::exchange(count, 0))) {
      occurrences_.push_back({FindList(token), made_.rows_, position++ | column_mark});
    }
  };
  while (at < end) {
    const uint64_t word = LoadWord(at);
    size_t size = BytesBeforeSpace(word);
    const uint64_t begin = FirstOf(word, size);
    uint64_t rest = 0;
    if (size == kWord) {
      const size_t more = BytesBeforeSpace(LoadWord(at + kWord));
      rest = FirstOf(LoadWord(at + kWord), more);
      size += more;
    }
    size_t kept = size;
    if (size == 2 * kWord) {
      while (at[size] != ' ') ++size;
      kept = std::min(size, kMaxTokenBytes);
      if (kept > 2 * kWord) rest = HashLong(at + kWord, kept - kWord);
    }
    if (size > 0) {
      // Member by member: a copy of a temporary waits until its parts are stored.
      Pending& token = pending[count++];
      token.begin = begin;
      token.rest = rest;
      token.size = static_cast<uint32_t>(kept);
      token.hash = Mix(begin + token.size, rest);
      token.bytes = at;
      if (!slots_.empty()) __builtin_prefetch(&slots_[token.hash & (slots_.size() - 1)]);
      if (count == pending.size()) add_pending();
    }
    at += size + 1;
  }
  add_pending();
  made_.token_counts_[column_mark ? 1 : 0] += position;
}

bool FtsPostingsBuilder::IsSame(const Slot& slot, const Pending& token) const {
  if (slot.begin != token.begin || slot.rest != token.rest || slot.size != token.size) return false;
  return slot.size <= 2 * kWord || made_.TokenOf(made_.lists_[slot.list]) == token.text();
}

uint32_t FtsPostingsBuilder::FindList(const Pending& token) {
  std::vector<FtsPostings::List>& lists = made_.lists_;
  if (2 * lists.size() >= slots_.size()) GrowSlots();
  const size_t mask = slots_.size() - 1;
  size_t at = token.hash & mask;
  for (; slots_[at].size != 0; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (!IsSame(slot, token)) continue;
    ++slot.places;
    return slot.list;
  }
  Slot& slot = slots_[at];
  slot = {.begin = token.begin,
          .rest = token.rest,
          .size = token.size,
          .list = static_cast<uint32_t>(lists.size()),
          .places = 1};
  FtsPostings::List& list = lists.emplace_back();
  list.hash = token.hash;
  list.token_begin = static_cast<uint32_t>(made_.tokens_.size());
  list.token_size = token.size;
  made_.tokens_.append(token.text());
  return slot.list;
}

void FtsPostingsBuilder::GrowSlots() {
  const std::vector<Slot> before = std::move(slots_);
  slots_.assign(std::max(kLeastTermSlots, 4 * before.size()), {});
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : before) {
    if (slot.size == 0) continue;
    size_t at = made_.lists_[slot.list].hash & mask;
    while (slots_[at].size != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

FtsPostings FtsPostingsBuilder::Take() {
  // Group the places by list, with a counting sort that keeps their order.
  ends_.resize(made_.lists_.size());
  for (const Slot& slot : slots_) {
    if (slot.size != 0) ends_[slot.list] = slot.places;
  }
  uint32_t end = 0;
  for (uint32_t& places : ends_) places = std::exchange(end, end + places);
  places_.resize(occurrences_.size());
  for (const Occurrence& seen : occurrences_) {
    places_[ends_[seen.list]++] = {seen.row, seen.place};
  }
  uint32_t begin = 0;
  for (size_t i = 0; i < ends_.size(); ++i) {
    EncodeList(std::span(places_).subspan(begin, ends_[i] - begin), &made_.lists_[i]);
    begin = ends_[i];
  }
  slots_.clear();
  if (occurrences_.size() > kMostKept) {
    occurrences_ = {};
    places_ = {};
    scratch_ = {};
  }
  occurrences_.clear();
  return std::exchange(made_, {});
}

// Rows are encoded in scratch memory that is large enough for any of them. The size of a row, which
// precedes its positions, nearly always takes one byte; if not, the positions are moved.
void FtsPostingsBuilder::EncodeList(std::span<const Place> places, FtsPostings::List* list) {
  list->first_row = places.front().row;
  list->last_row = places.back().row;
  list->begin = static_cast<uint32_t>(made_.bytes_.size());
  // A position, its row and size, and the mark of the column. Sizes of several bytes are those of
  // rows with many positions.
  const size_t most = 3 * kMostVarintBytes * places.size();
  if (scratch_.size() < most) scratch_.resize(most);
  uint8_t* to = scratch_.data();
  uint32_t last_row = list->first_row;
  for (size_t i = 0; i < places.size();) {
    const uint32_t row = places[i].row;
    if (row != list->first_row) to = WriteVarint32(row - last_row, to);
    last_row = row;
    uint8_t* const positions = to + 1;
    to = positions;
    bool in_compound = false;
    uint32_t last = 0;
    for (; i < places.size() && places[i].row == row; ++i) {
      if ((places[i].place & kCompound) != 0 && !in_compound) {
        in_compound = true;
        *to++ = uint8_t{FtsPostings::kColumnFollows};
        *to++ = 1;
        last = 0;
      }
      const uint32_t position = places[i].place & ~kCompound;
      to = WriteVarint32(position - last + FtsPostings::kPositionBase, to);
      last = position;
    }
    const auto size = static_cast<uint32_t>(to - positions);
    uint8_t encoded[kMostVarintBytes];
    const auto more = static_cast<size_t>(WriteVarint32(2 * size, encoded) - encoded) - 1;
    if (more > 0) std::memmove(positions + more, positions, size);
    std::memcpy(positions - 1, encoded, 1 + more);
    to += more;
  }
  list->size = static_cast<uint32_t>(to - scratch_.data());
  made_.bytes_.append(reinterpret_cast<const char*>(scratch_.data()), list->size);
}

}  // namespace recall
