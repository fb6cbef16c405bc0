#pragma once

// The tables of docs/format/*.md that give bytes by offset, and the static_asserts that say the
// same of the product's structs.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

struct FormatField {
  size_t offset = 0;
  size_t bytes = 0;
  std::string name;

  friend bool operator==(const FormatField&, const FormatField&) = default;
};

struct FormatTable {
  std::string where;  // "store.md:12", "path.h: Struct"
  std::vector<FormatField> fields;
};

// Tables whose first columns are `offset`, `size` and `field`. Rows whose offset or size is not a
// number are left out: the length of what they describe is not fixed. Digits at the end of a name
// do not count, here and in structs, where two fields of zeros need two names.
std::vector<FormatTable> TablesOf(std::string_view file, std::string_view markdown);

// Structs with `static_assert(offsetof(S, field) == N)` for each field and one for sizeof(S). The
// bytes of a field reach to the next. A struct without an assert for its size is as if it were not
// there.
std::vector<FormatTable> AssertedStructsOf(std::string_view file, std::string_view source);

// One sentence for each table without a struct that asserts the same, and for each struct without
// a table.
std::vector<std::string> FormatDifferences(const std::vector<FormatTable>& tables,
                                           const std::vector<FormatTable>& structs);

}  // namespace recall
