#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace recall {

// The maximum number of tokens of a unit: a quarter of a chunk of the default size. A longer list
// item or line is cut.
inline constexpr int64_t kLongestUnit = 64;

// A passage unit, the smallest piece of a context: a sentence of prose; a list item; an entry with
// its indented text; a term with its definition; a row of a table; a line of code or of settings.
// Offsets are bytes of the text.
struct PassageUnit {
  enum class Kind : uint8_t {
    kText,
    kHeading,  // a heading, a version line, "[section]": means something only with what follows
    kHeader,   // the names of a table's columns: the same
    kImport,   // imports and includes of source code
    kMatter,   // front matter
  };
  uint64_t start = 0;  // includes the indentation if the unit starts a line
  uint64_t end = 0;    // exclusive; the end of a token
  int64_t tokens = 0;  // white-space tokens, as CountTokens counts them
  Kind kind = Kind::kText;
  // Units of the same text that this one needs to be understood, by index: the nearest heading, the
  // header of its table, and the sentence that ends in a colon just before it.
  std::optional<size_t> heading = {};
  std::optional<size_t> header = {};
  std::optional<size_t> lead_in = {};
};

// Divides a text into units, in order and without overlap. Every token belongs to exactly one unit,
// and a unit has at most kLongestUnit tokens. `is_code`: every line is a unit. `begins_document`:
// the text may begin with front matter.
std::vector<PassageUnit> CutPassageUnits(std::string_view text, bool is_code, bool begins_document);

// Returns: the line number of the last byte of a text that starts at line `start_line`.
uint32_t EndLine(uint32_t start_line, std::string_view text);

}  // namespace recall
