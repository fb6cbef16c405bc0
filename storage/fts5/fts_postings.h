#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"

namespace recall {

// The postings of consecutive rows, by token, encoded as in FTS5's index (fts_doclist.h). Rows are
// counted from 0, and the number of a list's first row is left out. So any thread can encode them
// before the rows' numbers are known, and the writer copies bytes.
//
//   varint  2 * bytes of the first row's positions
//   bytes   its positions
//   then of each further row: varint difference to the row before, and the same two fields
class FtsPostings final {
 public:
  static constexpr size_t kColumns = 2;  // body, compound
  // FTS5 adds this to the difference of two positions, because 0 and 1 have other meanings.
  static constexpr uint32_t kPositionBase = 2;
  static constexpr uint64_t kColumnFollows = 1;

  struct List {
    uint64_t hash = 0;  // of the token
    uint32_t first_row = 0;
    uint32_t last_row = 0;
    uint32_t token_begin = 0;
    uint32_t token_size = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  // One list for each token, in no particular order.
  const std::vector<List>& lists() const { return lists_; }
  std::string_view TokenOf(const List& list) const {
    return std::string_view(tokens_).substr(list.token_begin, list.token_size);
  }
  ByteSpan BytesOf(const List& list) const {
    return {reinterpret_cast<const uint8_t*>(bytes_.data()) + list.begin, list.size};
  }

  uint32_t rows() const { return rows_; }
  // The number of tokens of a column in all rows.
  uint64_t TokensIn(size_t column) const { return token_counts_[column]; }

 private:
  friend class FtsPostingsBuilder;
  std::vector<List> lists_;
  std::string tokens_;
  std::string bytes_;
  uint32_t rows_ = 0;
  uint64_t token_counts_[kColumns] = {};
};

// Builds FtsPostings from texts. Belongs to one thread.
class FtsPostingsBuilder final {
 public:
  // Longer tokens are truncated.
  static constexpr size_t kMaxTokenBytes = 1024;

  // Adds the next row. Requires: texts of tokens as FTS5's `ascii` tokenizer produces them
  // (fts_index.h), separated by spaces.
  void AddRow(std::string_view body, std::string_view compound);

  // Returns the postings of the rows added since the last call. Requires: fewer than 2^32 bytes of
  // text.
  FtsPostings Take();
  // The number of tokens not yet returned by Take; each one takes about 20 bytes.
  size_t waiting() const { return occurrences_.size(); }

 private:
  // A distinct token. Tokens of at most 16 bytes are completely in `begin` and `rest`.
  struct Slot {
    uint64_t begin = 0;  // the first eight bytes
    uint64_t rest = 0;   // the next eight; for longer tokens, a hash of all but the first eight
    uint32_t size = 0;   // 0: free
    uint32_t list = 0;
    uint32_t places = 0;
  };
  // One token at one position.
  struct Occurrence {
    uint32_t list;
    uint32_t row;
    uint32_t place;  // its position, with kCompound in the second column
  };
  struct Place {
    uint32_t row;
    uint32_t place;
  };

  // A token whose slot is on its way to the cache of the CPU.
  struct Pending {
    uint64_t begin = 0;  // as in Slot
    uint64_t rest = 0;
    uint64_t hash = 0;
    const char* bytes = nullptr;
    uint32_t size = 0;

    std::string_view text() const { return {bytes, size}; }
  };
  static constexpr size_t kPending = 16;

  void AddText(std::string_view text, uint32_t column_mark);
  uint32_t FindList(const Pending& token);
  bool IsSame(const Slot& slot, const Pending& token) const;
  void GrowSlots();
  void EncodeList(std::span<const Place> places, FtsPostings::List* list);

  FtsPostings made_;
  std::vector<Slot> slots_;
  std::vector<Occurrence> occurrences_;
  // Scratch memory.
  std::string text_;
  std::vector<uint32_t> ends_;
  std::vector<Place> places_;
  std::vector<uint8_t> scratch_;
};

}  // namespace recall
