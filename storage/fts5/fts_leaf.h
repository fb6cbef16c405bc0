#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/fts5/fts_structure.h"

namespace recall {

// Before each term in FTS5's index; others are those of prefix indexes.
inline constexpr char kFtsWholeTerms = '0';

// lexicon_data.id of a leaf.
inline int64_t FtsLeafRow(const FtsRun& run, int64_t leaf) { return run.id << 37 | leaf; }

// One leaf of a run (SQLite's ext/fts5/fts5_index.c, "PAGE FORMAT"):
//   u16     where the first row of a list begins that the leaf before has begun; 0: nowhere
//   u16     where the footer begins
//   bytes   the rest of that list, then terms and their lists:
//             first term: varint length, bytes
//             others:     varint bytes shared with the term before, varint length of the rest, rest
//   footer  varint of each term: where it begins; of all but the first, how far behind the last one
//
// A view of bytes that are not trusted, which must outlive it.
class FtsLeaf final {
 public:
  // Nothing: the header makes no sense.
  static std::optional<FtsLeaf> Open(ByteSpan bytes);

  const uint8_t* footer() const { return footer_; }
  const uint8_t* body() const { return start_ + kHeaderBytes; }
  // Where a list of the leaf before ends, and where its first row is (there when there is none).
  // Null: the header makes no sense.
  const uint8_t* EndOfRest() const;
  const uint8_t* FirstRow() const { return first_row_ == 0 ? EndOfRest() : At(first_row_); }

  // What the leaf has of a term's postings; at its end they may go on on the next one.
  struct List {
    const uint8_t* begin = nullptr;
    const uint8_t* end = nullptr;
  };
  // Goes from term to term. `term` is empty at first, and each term in turn.
  class Terms final {
   public:
    explicit Terms(const FtsLeaf& leaf) : leaf_(leaf), place_(leaf.footer_) {}
    bool AtEnd() const { return place_ == leaf_.end_; }
    // Nothing: the leaf is damaged. Requires: not AtEnd().
    std::optional<List> Next(std::string* term);

   private:
    const FtsLeaf& leaf_;
    const uint8_t* place_;
    uint64_t offset_ = 0;
  };
  // The list of one term, with null for begin when the leaf has none. `term` is scratch memory.
  // Nothing: the leaf is damaged.
  std::optional<List> Find(std::string_view key, std::string* term) const;

 private:
  static constexpr size_t kHeaderBytes = 4;

  // Null when it is not between the header and the footer.
  const uint8_t* At(uint64_t offset) const;
  // Returns: what is behind it, or null.
  const uint8_t* ReadTerm(const uint8_t* at, bool first, std::string* term) const;

  const uint8_t* start_ = nullptr;
  uint64_t first_row_ = 0;
  const uint8_t* footer_ = nullptr;
  const uint8_t* end_ = nullptr;
};

}  // namespace recall
