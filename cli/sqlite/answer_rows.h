#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/json/json_tape.h"

struct sqlite3_context;

namespace recall {

// The number of rows that LIMIT and OFFSET ask for: at most as many as a search may give. Without
// OFFSET `offset` is 0.
int64_t RowsWanted(int64_t limit, int64_t offset);

// The rows of a JSON answer: the elements of one of its arrays.
class AnswerRows final {
 public:
  // `array`: names of members with dots between them. Without such an array there are no rows.
  void Read(std::string json, std::string_view array);
  void Clear() { rows_.clear(); }

  size_t size() const { return rows_.size(); }
  // Sets the result to a member of a row, by its place as in AnswerColumn: a text, a number, 0 or 1
  // for false and true, an object or an array as JSON text, or NULL. Numbers with a point or an
  // exponent are REAL.
  void SetColumn(sqlite3_context* context, size_t row, std::string_view place) const;
  // The text of a member of a row, by its place; "" if it is no text.
  std::string TextAt(size_t row, std::string_view place) const;

 private:
  TapeValue ValueAt(size_t row, std::string_view place) const;

  std::string json_;
  JsonTape tape_;  // of json_
  std::vector<TapeValue> rows_;
};

}  // namespace recall
