#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"

namespace recall {

// What the texts of some rows, one after another, have of each token: lists as FTS5's index has
// them (fts_doclist.h), only that rows are counted from 0, and the number of a list's first row is
// left out. So they can be made by any thread, before anybody knows the rows' numbers, and the one
// who writes copies bytes.
//
//   varint  2 * bytes of the first row's positions
//   bytes   its positions
//   then of each further row: varint what its number is more, and the same
class FtsPostings final {
 public:
  static constexpr size_t kColumns = 2;  // body, compound

  struct List {
    uint64_t hash = 0;  // of the token
    uint32_t first_row = 0;
    uint32_t last_row = 0;
    uint32_t token_begin = 0;
    uint32_t token_size = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  // One of each token, in no order that means anything.
  const std::vector<List>& lists() const { return lists_; }
  std::string_view TokenOf(const List& list) const {
    return std::string_view(tokens_).substr(list.token_begin, list.token_size);
  }
  ByteSpan BytesOf(const List& list) const {
    return {reinterpret_cast<const uint8_t*>(bytes_.data()) + list.begin, list.size};
  }

  uint32_t rows() const { return rows_; }
  // How many tokens a column has in all rows.
  uint64_t TokensIn(size_t column) const { return token_counts_[column]; }

 private:
  friend class FtsPostingsBuilder;
  std::vector<List> lists_;
  std::string tokens_;
  std::string bytes_;
  uint32_t rows_ = 0;
  uint64_t token_counts_[kColumns] = {};
};

// Makes them of texts. Belongs to one thread.
class FtsPostingsBuilder final {
 public:
  // Longer tokens are cut.
  static constexpr size_t kMaxTokenBytes = 1024;

  // The next row. Requires: texts of tokens as FTS5's `ascii` tokenizer leaves them (fts_index.h),
  // with spaces between them.
  void AddRow(std::string_view body, std::string_view compound);

  // Of the rows added since the last call. Requires: fewer than 2^32 bytes of text.
  FtsPostings Take();
  // Tokens that wait to be taken, each of about 20 bytes.
  size_t waiting() const { return occurrences_.size(); }

 private:
  // A token of which there are postings. Those of at most 16 bytes are all in `begin` and `rest`.
  struct Slot {
    uint64_t begin = 0;  // the first eight bytes
    uint64_t rest = 0;   // the next eight; of longer ones, a hash of all behind the first
    uint32_t size = 0;   // 0: free
    uint32_t list = 0;
    uint32_t places = 0;
  };
  // One token at one place.
  struct Occurrence {
    uint32_t list;
    uint32_t row;
    uint32_t place;  // its position, and kCompound in the second column
  };
  struct Place {
    uint32_t row;
    uint32_t place;
  };

  void AddText(std::string_view text, uint32_t column_mark);
  uint32_t FindList(const Slot& token, const char* bytes);
  bool IsSame(const Slot& a, const Slot& b, const char* bytes) const;
  void GrowSlots();
  void EncodeList(std::span<const Place> places, FtsPostings::List* list);

  FtsPostings made_;
  std::vector<Slot> slots_;
  std::vector<Occurrence> occurrences_;
  // Scratch memory.
  std::string text_;
  std::vector<uint32_t> ends_;
  std::vector<Place> places_;
  std::string positions_;
};

}  // namespace recall
