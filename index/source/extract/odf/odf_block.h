#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace recall {

// The kind of a document. kNone: no body of a known kind has begun.
enum class OdfBodyKind : uint8_t { kNone, kText, kSlides, kSheets };

// A block of the text of a document: a value that can be held until it is its turn to be written.
struct OdfBlock {
  // kGap divides a table from the blocks after it and has no text.
  enum class Kind : uint8_t { kHeading, kParagraph, kItem, kCode, kRow, kGap };
  Kind kind = Kind::kParagraph;
  int level = 0;          // of a heading, from 1; of an item, from 0
  int64_t paragraph = 0;  // the number of its first paragraph, from 1
  std::string marker;     // of an item: "-" or "3."
  std::string text;
  std::string range;               // the cell that it belongs to; "header" or "footer" of pages
  std::vector<std::string> cells;  // of a row

  // The memory that it needs while it is held.
  size_t bytes() const {
    size_t sum = sizeof(OdfBlock) + text.size();
    for (const std::string& cell : cells) sum += sizeof(cell) + cell.size();
    return sum;
  }
};

}  // namespace recall
