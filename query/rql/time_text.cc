#include "query/rql/time_text.h"

#include <string>

#include "index/search/filter/date_literal.h"

namespace recall {

std::optional<UnixNanos> ReadTime(std::string_view text, UnixNanos now, TimeDirection direction) {
  if (const auto read = ReadDateLiteral(text, now)) return read->instant;
  const bool is_signed = text.starts_with('-') || text.starts_with('+');
  if (is_signed) return std::nullopt;
  const char sign = direction == TimeDirection::kPast ? '-' : '+';
  const auto moved = ReadDateLiteral(sign + std::string(text), now);
  return moved && moved->is_relative ? std::optional(moved->instant) : std::nullopt;
}

}  // namespace recall
