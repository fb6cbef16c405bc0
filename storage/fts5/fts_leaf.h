#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/fts5/fts_structure.h"

namespace recall {

// The first byte of each term in FTS5's index that is a whole token; other bytes mark prefix
// indexes.
inline constexpr char kFtsWholeTerms = '0';

// The lexicon_data.id of a leaf.
inline int64_t FtsLeafRow(const FtsRun& run, int64_t leaf) { return run.id << 37 | leaf; }

// One leaf of a run (SQLite's ext/fts5/fts5_index.c, "PAGE FORMAT"):
//   u16     offset of the first row of a list continued from the leaf before; 0: none
//   u16     offset of the footer
//   bytes   the rest of the continued list, then terms and their lists:
//             first term: varint length, bytes
//             others:     varint bytes shared with the term before, varint length of the rest, rest
//   footer  varints: offset of the first term, then of each further one its distance to the last
//
// A view of untrusted bytes, which must outlive it.
class FtsLeaf final {
 public:
  // Returns nothing if the header is damaged.
  static std::optional<FtsLeaf> Open(ByteSpan bytes);

  const uint8_t* start() const { return start_; }
  const uint8_t* footer() const { return footer_; }
  const uint8_t* body() const { return start_ + kHeaderBytes; }
  // The end of a list continued from the leaf before, and its first row on this leaf (the end if no
  // row begins here). Null if the header is damaged.
  const uint8_t* EndOfRest() const;
  uint64_t first_row() const { return first_row_; }  // as in the header
  const uint8_t* FirstRow() const { return first_row_ == 0 ? EndOfRest() : At(first_row_); }

  // The part of a term's list that is on this leaf. If it ends at the footer, the list may continue
  // on the next leaf.
  struct List {
    const uint8_t* begin = nullptr;
    const uint8_t* end = nullptr;
  };
  // Iterates over the terms. `term` must be empty before the first call, and receives each term in
  // turn.
  class Terms final {
   public:
    explicit Terms(const FtsLeaf& leaf) : leaf_(leaf), place_(leaf.footer_) {}
    bool AtEnd() const { return place_ == leaf_.end_; }
    // Returns nothing if the leaf is damaged. Requires: not AtEnd().
    std::optional<List> Next(std::string* term);
    // The bytes that the last term says it shares with the one before; 0 for the first one.
    uint64_t shared() const { return shared_; }

   private:
    const FtsLeaf& leaf_;
    const uint8_t* place_;
    uint64_t offset_ = 0;
    uint64_t shared_ = 0;
  };
  // The list of one term; `begin` is null if the leaf does not contain the term. Returns nothing if
  // the leaf is damaged.
  std::optional<List> Find(std::string_view key) const;

 private:
  static constexpr size_t kHeaderBytes = 4;

  // Null if the offset is not between the header and the footer.
  const uint8_t* At(uint64_t offset) const;
  // Returns the address after the term, or null.
  std::optional<List> ListFrom(const uint8_t* begin, const uint8_t* next, uint64_t offset) const;
  const uint8_t* ReadTerm(const uint8_t* at, bool first, std::string* term, uint64_t* shared) const;

  const uint8_t* start_ = nullptr;
  uint64_t first_row_ = 0;
  const uint8_t* footer_ = nullptr;
  const uint8_t* end_ = nullptr;
};

}  // namespace recall
