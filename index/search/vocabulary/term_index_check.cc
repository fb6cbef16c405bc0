// Compares the lists of trigrams with the terms.
//
// Problem. A large store has millions of terms with ten times as many trigrams. Building the index
// again, to compare the bytes, would take several hundred megabytes.
//
// Idea. Both sides are read piece by piece, and the pairs of a trigram and a term are compared as
// sums of hashes, one for each piece of lists, which do not depend on the order. Two different sets
// of pairs have the same sum with a probability of about 2^-64.
//
//   terms  -> their trigrams -> sums_[piece] += hash     CheckTerms
//   lists  -> their terms    -> sums_[piece] -= hash     CheckLists: the sum must become 0
//
// Invariants: terms, lists and the numbers in them are in order, and each piece has the bytes that
// encoding its contents gives. So equal sets of pairs have equal bytes.
//
// Cost: one pass over all parts; memory for one part, and 8 bytes for each piece of lists.

#include "index/search/vocabulary/term_index_check.h"

#include <utility>
#include <vector>

#include "index/search/vocabulary/near_term.h"
#include "index/search/vocabulary/term_index_pieces.h"
#include "storage/base/row_hash.h"

namespace recall {
namespace {

class TermIndexCheck final {
 public:
  TermIndexCheck(std::set<std::string> kinds, const TermIndex::ReadPart& read)
      : kinds_(std::move(kinds)), read_(read) {}

  Status Run() {
    RECALL_ASSIGN(const std::string header, Read(std::string(kTermsPart)));
    RECALL_ASSIGN(TermIndex index,
                  TermIndex::Open(header, [this](const std::string& kind) { return Read(kind); }));
    sums_.resize(size_t{1} << index.bits());
    RECALL_TRY(CheckTerms(index));
    if (header != expected_header_.Encode(TrigramPieceBits(pairs_))) {
      return DamagedTermPart(kTermsPart);
    }
    for (uint32_t number = 0; number < sums_.size(); ++number) {
      RECALL_TRY(CheckLists(index, number));
    }
    if (kinds_.empty()) return Status::Ok();
    return Status::Corruption("the part \"" + *kinds_.begin() + "\" is superfluous", "");
  }

 private:
  Result<std::string> Read(const std::string& kind) {
    if (kinds_.erase(kind) > 0) return read_(kind);
    return Fail(Status::Corruption("it has no part \"" + kind + "\"", ""));
  }

  static uint64_t HashOfPair(uint64_t trigram, uint64_t term) {
    RowHash hash(trigram);
    hash.Add(term);
    return hash.value();
  }

  Status CheckTerms(TermIndex& index) {
    std::string last;
    std::vector<uint64_t> trigrams;
    uint64_t number = 0;
    for (uint32_t piece = 0; piece < index.term_pieces(); ++piece) {
      const std::string kind = TermPartName(kTermPieces, piece);
      RECALL_ASSIGN(const std::string stored, Read(kind));
      RECALL_ASSIGN(const std::vector<std::string> terms, index.DecodeTerms(piece, stored));
      if (stored != EncodeTermPiece(terms)) return DamagedTermPart(kind);
      for (const std::string& term : terms) {
        if (ComesBeforeTerm(term, last)) return DamagedTermPart(kTermsPart);
        last = term;
        expected_header_.Add(term);
        FindTermTrigrams(term, &trigrams);
        pairs_ += trigrams.size();
        for (const uint64_t trigram : trigrams) {
          sums_[PieceOfTrigram(trigram, index.bits())] += HashOfPair(trigram, number);
        }
        ++number;
      }
    }
    return Status::Ok();
  }

  Status CheckLists(const TermIndex& index, uint32_t number) {
    const std::string kind = TermPartName(kTrigramPieces, number);
    RECALL_ASSIGN(const std::string stored, Read(kind));
    RECALL_ASSIGN(const std::string_view body, VerifiedPiece(kind, stored));
    std::string encoded;
    uint64_t trigram = 0;
    for (TermPieceReader reader(body); !reader.AtEnd();) {
      uint64_t step = 0;
      uint64_t size = 0;
      const bool first = encoded.empty();
      if (!reader.Read(&step) || !reader.Read(&size) || size == 0 || (step == 0 && !first)) {
        return DamagedTermPart(kind);
      }
      trigram += step;
      if (PieceOfTrigram(trigram, index.bits()) != number) return DamagedTermPart(kind);
      AppendVarint(step, &encoded);
      AppendVarint(size, &encoded);
      uint64_t term = 0;
      for (uint64_t i = 0; i < size; ++i) {
        if (!reader.Read(&step) || (step == 0 && i > 0) || step >= index.terms() - term) {
          return DamagedTermPart(kind);
        }
        term += step;
        AppendVarint(step, &encoded);
        sums_[number] -= HashOfPair(trigram, term);
      }
    }
    AppendPieceChecksum(&encoded);
    return sums_[number] == 0 && encoded == stored ? Status::Ok() : DamagedTermPart(kind);
  }

  std::set<std::string> kinds_;  // that have not been read
  const TermIndex::ReadPart& read_;
  TermHeaderWriter expected_header_;
  size_t pairs_ = 0;
  std::vector<uint64_t> sums_;
};

}  // namespace

Status CheckTermIndex(std::set<std::string> kinds, const TermIndex::ReadPart& read) {
  return TermIndexCheck(std::move(kinds), read).Run();
}

}  // namespace recall
