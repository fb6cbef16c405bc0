#include "index/search/vocabulary/term_index.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "index/search/vocabulary/term_index_format.h"
#include "index/search/vocabulary/term_index_pieces.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checksum.h"
#include "storage/base/varint.h"

namespace recall {
namespace {

// An inverted index from trigrams to the terms of a vocabulary.
//
//   part "terms"             header | terms by letters | first term of piece 0, 1, ...
//   part "terms/0"           256 terms, front-coded | CRC-32C
//   part "term_trigrams/0"   trigram, number of terms, numbers of terms; ... | CRC-32C
//
// Problem: a large store has hundreds of thousands of terms. Comparing a word with each of them
// would take longer than the search.
//
// Idea: terms are numbered by their letters, then by their bytes, so the length of a term follows
// from its number. The Dice coefficient needs no more than this length and the number of common
// trigrams, which the lists of the word's trigrams give. Strings are read only for the best
// candidates, for terms that may contain the word or be contained in it, and to look up the stems
// that are one typing error away.
//
// Invariants: terms ascend in this order within and between pieces; a list ascends; trigrams ascend
// within their piece, which is selected by the highest bits of a hash. The result of Find is that
// of comparing all terms (tests/index/search/vocabulary/term_index_test.cc).
//
// Cost: one piece of lists for each trigram of the word; one byte of memory for each term; a piece
// of terms for each place in the order where a similar term or the result of an edit may be, some
// hundred in a large store. Source: Zobel and Dart, "Finding approximate matches in large
// lexicons", 1995.

namespace format = term_index_format;

constexpr size_t kHeaderBytes = sizeof(format::Header);

// ---- Building -----------------------------------------------------------------------------------

// The terms of each trigram; trigrams in the order of their pieces.
struct TrigramLists {
  struct List {
    uint64_t trigram = 0;
    size_t begin = 0;  // in `terms`
    size_t size = 0;
  };
  std::vector<List> lists;
  std::vector<uint32_t> terms;
};

// Numbers trigrams from 0 on, in the order of their first occurrence. A table with open addressing:
// std::unordered_map takes a third of the time of building an index.
class TrigramNumbers final {
 public:
  // The number of a trigram; if it is new, the number of trigrams before.
  uint32_t FindOrAdd(uint64_t trigram) {
    if (2 * count_ >= slots_.size()) Grow();
    Slot& slot = slots_[SlotOf(trigram)];
    if (slot.number_plus_1 == 0) slot = {trigram, ++count_};
    return slot.number_plus_1 - 1;
  }

 private:
  struct Slot {
    uint64_t trigram = 0;
    uint32_t number_plus_1 = 0;  // 0: free
  };

  size_t SlotOf(uint64_t trigram) const {
    const size_t mask = slots_.size() - 1;
    const uint64_t hash = trigram * 0x9E3779B97F4A7C15;
    size_t at = (hash ^ hash >> 32) & mask;
    while (slots_[at].number_plus_1 != 0 && slots_[at].trigram != trigram) at = (at + 1) & mask;
    return at;
  }
  void Grow() {
    const std::vector<Slot> before = std::exchange(slots_, {});
    slots_.resize(std::max<size_t>(1024, 4 * before.size()));
    for (const Slot& slot : before) {
      if (slot.number_plus_1 != 0) slots_[SlotOf(slot.trigram)] = slot;
    }
  }

  std::vector<Slot> slots_;
  uint32_t count_ = 0;
};

// A counting sort: first the sizes of the lists, then their contents. The trigrams of each term are
// found twice, because keeping their numbers would double the memory.
TrigramLists Invert(std::span<const std::string> terms) {
  TrigramLists inverted;
  TrigramNumbers numbers;
  std::vector<uint64_t> trigrams;
  for (const std::string& term : terms) {
    FindTermTrigrams(term, &trigrams);
    for (const uint64_t trigram : trigrams) {
      const uint32_t number = numbers.FindOrAdd(trigram);
      if (number == inverted.lists.size()) inverted.lists.push_back({trigram, 0, 0});
      ++inverted.lists[number].size;
    }
  }
  size_t end = 0;
  for (TrigramLists::List& list : inverted.lists) {
    list.begin = end;
    end += std::exchange(list.size, 0);
  }
  inverted.terms.resize(end);
  for (uint32_t term = 0; term < terms.size(); ++term) {
    FindTermTrigrams(terms[term], &trigrams);
    for (const uint64_t trigram : trigrams) {
      TrigramLists::List& list = inverted.lists[numbers.FindOrAdd(trigram)];
      inverted.terms[list.begin + list.size++] = term;
    }
  }
  std::ranges::sort(inverted.lists, {}, &TrigramLists::List::trigram);
  return inverted;
}

std::vector<std::string> EncodeTrigrams(const TrigramLists& inverted, uint32_t bits) {
  std::vector<std::string> pieces(size_t{1} << bits);
  std::vector<uint64_t> last(pieces.size());
  for (const TrigramLists::List& list : inverted.lists) {
    const uint32_t number = PieceOfTrigram(list.trigram, bits);
    std::string* const piece = &pieces[number];
    AppendVarint(list.trigram - std::exchange(last[number], list.trigram), piece);
    AppendVarint(list.size, piece);
    uint32_t before = 0;
    for (size_t i = list.begin; i < list.begin + list.size; ++i) {
      AppendVarint(inverted.terms[i] - std::exchange(before, inverted.terms[i]), piece);
    }
  }
  for (std::string& piece : pieces) AppendPieceChecksum(&piece);
  return pieces;
}

// The parts of an index of terms in the order of ComesBeforeTerm.
std::vector<ModelPart> Encode(std::span<const std::string> terms) {
  const TrigramLists inverted = Invert(terms);
  const uint32_t bits = TrigramPieceBits(inverted.terms.size());
  TermHeaderWriter header;
  for (const std::string& term : terms) header.Add(term);
  std::vector<ModelPart> parts;
  parts.push_back({std::string(kTermsPart), header.Encode(bits)});
  for (size_t first = 0; first < terms.size(); first += format::kTermsPerPiece) {
    const size_t count = std::min<size_t>(format::kTermsPerPiece, terms.size() - first);
    const auto piece = static_cast<uint32_t>(first / format::kTermsPerPiece);
    parts.push_back(
        {TermPartName(kTermPieces, piece), EncodeTermPiece(terms.subspan(first, count))});
  }
  uint32_t number = 0;
  for (std::string& piece : EncodeTrigrams(inverted, bits)) {
    parts.push_back({TermPartName(kTrigramPieces, number++), std::move(piece)});
  }
  return parts;
}

// The different terms that are IsExpansionTerm, in the order of ComesBeforeTerm. Most comparisons
// need only the number of letters and the first eight bytes, which are computed once for each term.
// `terms` is empty afterwards.
std::vector<std::string> SortedTerms(std::vector<std::string>&& terms) {
  struct Key {
    uint32_t letters;
    uint32_t term;
    uint64_t first_bytes;  // as a number that sorts as the bytes do
  };
  std::vector<Key> keys;
  keys.reserve(terms.size());
  for (uint32_t i = 0; i < terms.size(); ++i) {
    const std::string& term = terms[i];
    if (!IsExpansionTerm(term)) continue;
    Key key{static_cast<uint32_t>(LetterCount(term)), i, 0};
    for (size_t at = 0; at < sizeof(key.first_bytes); ++at) {
      key.first_bytes =
          key.first_bytes << 8 | (at < term.size() ? static_cast<uint8_t>(term[at]) : 0);
    }
    keys.push_back(key);
  }
  std::ranges::sort(keys, [&](const Key& a, const Key& b) {
    if (a.letters != b.letters) return a.letters < b.letters;
    if (a.first_bytes != b.first_bytes) return a.first_bytes < b.first_bytes;
    return terms[a.term] < terms[b.term];
  });
  std::vector<std::string> sorted;
  sorted.reserve(std::min<size_t>(keys.size(), format::kMostTerms));
  for (const Key& key : keys) {
    if (sorted.size() == format::kMostTerms) break;
    if (sorted.empty() || sorted.back() != terms[key.term]) {
      sorted.push_back(std::move(terms[key.term]));
    }
  }
  terms = {};
  return sorted;
}

}  // namespace

bool IsTermIndexPart(std::string_view kind) {
  return kind == kTermsPart || kind.starts_with(kTermPieces) || kind.starts_with(kTrigramPieces);
}

std::vector<ModelPart> TermIndex::Build(std::vector<std::string> terms) {
  return Encode(SortedTerms(std::move(terms)));
}

// ---- Searching ----------------------------------------------------------------------------------

Result<TermIndex> TermIndex::Open(std::string header, ReadPart read) {
  TermIndex index;
  index.header_ = std::move(header);
  index.read_ = std::move(read);
  const std::string_view bytes = index.header_;
  constexpr size_t kLettersBytes = format::kMostLetters * sizeof(uint32_t);
  if (bytes.size() < kHeaderBytes + kLettersBytes) return Fail(DamagedTermPart(kTermsPart));
  format::Header fields;
  std::memcpy(&fields, bytes.data(), sizeof(fields));
  if (std::memcmp(fields.magic, format::kMagic, sizeof(fields.magic)) != 0) {
    return Fail(DamagedTermPart(kTermsPart));
  }
  if (fields.version > format::kVersion) {
    return Fail(
        Status::Unsupported("the index of terms has version " + std::to_string(fields.version),
                            "use a newer version of recall"));
  }
  constexpr size_t kChecked = offsetof(format::Header, checksum);
  const uint32_t checksum =
      Crc32c(AsBytes(bytes.substr(kHeaderBytes)), Crc32c(AsBytes(bytes.substr(0, kChecked))));
  if (fields.version != format::kVersion || fields.checksum != checksum ||
      fields.bits > format::kMostBits || fields.terms > format::kMostTerms) {
    return Fail(DamagedTermPart(kTermsPart));
  }
  index.terms_ = fields.terms;
  index.bits_ = fields.bits;
  index.ends_.assign(format::kMostLetters + 1, 0);
  for (uint32_t letters = 1; letters <= format::kMostLetters; ++letters) {
    const auto* from = reinterpret_cast<const uint8_t*>(bytes.data()) + kHeaderBytes;
    index.ends_[letters] = LoadLittle<uint32_t>(from + (letters - 1) * sizeof(uint32_t));
    if (index.ends_[letters] < index.ends_[letters - 1]) return Fail(DamagedTermPart(kTermsPart));
  }
  if (index.ends_.back() != index.terms_) return Fail(DamagedTermPart(kTermsPart));
  TermPieceReader firsts(bytes.substr(kHeaderBytes + kLettersBytes));
  while (!firsts.AtEnd()) {
    uint64_t size = 0;
    std::string_view first;
    if (!firsts.Read(&size) || !firsts.Read(size, &first)) return Fail(DamagedTermPart(kTermsPart));
    index.firsts_.push_back(first);
  }
  const size_t pieces = (index.terms_ + format::kTermsPerPiece - 1) / format::kTermsPerPiece;
  if (index.firsts_.size() != pieces) return Fail(DamagedTermPart(kTermsPart));
  return index;
}

Result<std::vector<std::string>> TermIndex::DecodeTerms(uint32_t piece,
                                                        std::string_view bytes) const {
  const std::string kind = TermPartName(kTermPieces, piece);
  RECALL_ASSIGN(const std::string_view body, VerifiedPiece(kind, bytes));
  std::vector<std::string> terms;
  std::string term;
  for (TermPieceReader reader(body); !reader.AtEnd();) {
    uint64_t shared = 0;
    uint64_t size = 0;
    std::string_view rest;
    if (!reader.Read(&shared) || !reader.Read(&size) || !reader.Read(size, &rest) ||
        shared > term.size()) {
      return Fail(DamagedTermPart(kind));
    }
    term.resize(static_cast<size_t>(shared));
    term += rest;
    terms.push_back(term);
  }
  const size_t first = size_t{piece} * format::kTermsPerPiece;
  if (terms.size() != std::min<size_t>(format::kTermsPerPiece, terms_ - first) ||
      terms.front() != firsts_[piece]) {
    return Fail(DamagedTermPart(kind));
  }
  return terms;
}

Result<const std::vector<std::string>*> TermIndex::ReadPiece(uint32_t piece) {
  const auto known = pieces_.find(piece);
  if (known != pieces_.end()) return &known->second;
  RECALL_ASSIGN(const std::string bytes, read_(TermPartName(kTermPieces, piece)));
  RECALL_ASSIGN(std::vector<std::string> terms, DecodeTerms(piece, bytes));
  return &pieces_.emplace(piece, std::move(terms)).first->second;
}

Result<std::string> TermIndex::ReadTerm(uint32_t number) {
  RECALL_ASSIGN(const auto* piece, ReadPiece(number / format::kTermsPerPiece));
  return (*piece)[number % format::kTermsPerPiece];
}

Result<bool> TermIndex::Contains(const std::string& term) {
  const auto after = std::ranges::upper_bound(firsts_, term, ComesBeforeTerm);
  if (after == firsts_.begin()) return false;
  RECALL_ASSIGN(const auto* piece, ReadPiece(static_cast<uint32_t>(after - firsts_.begin() - 1)));
  return std::ranges::binary_search(*piece, term, ComesBeforeTerm);
}

Status TermIndex::CountCommonTrigrams(std::span<const uint64_t> trigrams,
                                      std::vector<uint8_t>& counts) {
  std::map<uint32_t, std::vector<uint64_t>> wanted;  // by piece
  for (const uint64_t trigram : trigrams) {
    wanted[PieceOfTrigram(trigram, bits_)].push_back(trigram);
  }
  for (const auto& [piece, of_piece] : wanted) {
    const std::string kind = TermPartName(kTrigramPieces, piece);
    RECALL_ASSIGN(const std::string bytes, read_(kind));
    RECALL_ASSIGN(const std::string_view body, VerifiedPiece(kind, bytes));
    uint64_t trigram = 0;
    for (TermPieceReader reader(body); !reader.AtEnd();) {
      uint64_t step = 0, size = 0, number = 0;
      if (!reader.Read(&step) || !reader.Read(&size)) return DamagedTermPart(kind);
      trigram += step;
      const bool counts_now = std::ranges::find(of_piece, trigram) != of_piece.end();
      for (uint64_t i = 0; i < size; ++i) {
        if (!reader.Read(&step)) return DamagedTermPart(kind);
        number += step;
        if (number >= counts.size()) return DamagedTermPart(kind);
        if (counts_now) ++counts[static_cast<size_t>(number)];
      }
    }
  }
  return Status::Ok();
}

Result<std::vector<NearTerm>> TermIndex::Find(const TermSimilarity& similarity, size_t most) {
  std::vector<uint8_t> counts(terms_);
  RECALL_TRY(CountCommonTrigrams(similarity.trigrams(), counts));
  std::vector<NearTerm> near;
  for (const std::string& stem : similarity.one_edit()) {
    RECALL_ASSIGN(const bool known, Contains(stem));
    if (known) near.push_back({stem, *similarity.Of(stem), true});
  }
  // The similarity that follows from the number of common trigrams alone, and whether the term may
  // contain the stem or be contained in it.
  struct Candidate {
    uint32_t number;
    double bound;
  };
  std::vector<Candidate> candidates;
  uint32_t letters = 1;
  for (uint32_t number = 0; number < terms_; ++number) {
    while (ends_[letters] <= number) ++letters;
    if (counts[number] == 0) continue;
    const double bound = similarity.UpperBound(letters, counts[number]);
    if (bound > 0) candidates.push_back({number, bound});
  }
  std::ranges::stable_sort(candidates, std::greater(), &Candidate::bound);
  // Candidates are compared until no other one can be among the best.
  for (const Candidate& candidate : candidates) {
    if (near.size() >= most) {
      std::ranges::sort(near, IsNearer);
      near.resize(most);
      if (candidate.bound < near.back().similarity) break;
    }
    RECALL_ASSIGN(std::string term, ReadTerm(candidate.number));
    if (similarity.one_edit().contains(term)) continue;
    if (const auto value = similarity.Of(term)) near.push_back({std::move(term), *value, false});
  }
  std::ranges::sort(near, IsNearer);
  near.resize(std::min(near.size(), most));
  return near;
}

}  // namespace recall
