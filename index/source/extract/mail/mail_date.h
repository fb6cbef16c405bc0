#pragma once

#include <string>
#include <string_view>

namespace recall {

// Returns "2026-11-27T08:41:18Z" from a date of RFC 5322 or of asctime; "" if it is none. A date
// without a zone is taken as UTC.
std::string MailDateInUtc(std::string_view raw);

// Reads a number of at most four digits. Returns whether `word` is one.
bool ReadMailNumber(std::string_view word, int* number);

}  // namespace recall
