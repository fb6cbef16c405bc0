#include "cli/sqlite/answer_rows.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "cli/options/settings/config.h"
#include "cli/sqlite/host_value.h"

namespace recall {
namespace {

TapeValue MemberAt(TapeValue value, std::string_view place) {
  while (!place.empty() && value) {
    const size_t dot = std::min(place.find('.'), place.size());
    value = value[place.substr(0, dot)];
    place.remove_prefix(std::min(dot + 1, place.size()));
  }
  return value;
}

void SetNumber(sqlite3_context* context, TapeValue value) {
  const std::string_view text = value.Raw();
  int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc() && end == text.data() + text.size()) {
    return sqlite3_result_int64(context, whole);
  }
  sqlite3_result_double(context, value.Number().value_or(0));
}

}  // namespace

int64_t RowsWanted(int64_t limit, int64_t offset) {
  const int64_t most = Config().max_limit;
  if (limit < 0 || limit > most || offset > most) return most;
  return std::min(most, limit + std::max<int64_t>(offset, 0));
}

void AnswerRows::Read(std::string json, std::string_view array) {
  rows_.clear();
  json_ = std::move(json);
  if (!tape_.Parse(json_)) return;
  MemberAt(tape_.root(), array).ForEach([&](TapeValue row) { rows_.push_back(row); });
}

TapeValue AnswerRows::ValueAt(size_t row, std::string_view place) const {
  const bool of_answer = place.starts_with('/');
  return of_answer ? MemberAt(tape_.root(), place.substr(1)) : MemberAt(rows_[row], place);
}

std::string AnswerRows::TextAt(size_t row, std::string_view place) const {
  return ValueAt(row, place).Text();
}

void AnswerRows::SetColumn(sqlite3_context* context, size_t row, std::string_view place) const {
  const TapeValue value = ValueAt(row, place);
  if (value.IsString()) return SetResult(context, value.Text());
  if (value.IsNumber()) return SetNumber(context, value);
  if (value.IsTrue() || value.IsFalse()) return sqlite3_result_int(context, value.IsTrue() ? 1 : 0);
  if (value.IsObject() || value.IsArray()) return SetResult(context, value.Raw());
  sqlite3_result_null(context);
}

}  // namespace recall
