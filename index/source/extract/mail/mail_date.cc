#include "index/source/extract/mail/mail_date.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

// Returns 1 to 12 for a word that begins as the name of a month; else 0.
int MailMonth(std::string_view word) {
  static constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";
  if (word.size() < 3) return 0;
  const size_t at = kMonths.find(LowerMail(word.substr(0, 3)));
  return at == kMonths.npos || at % 3 != 0 ? 0 : static_cast<int>(at / 3) + 1;
}

// Reads "08:41" or "08:41:18" as seconds of the day.
bool ReadMailTime(std::string_view word, int* seconds) {
  int part[3] = {0, 0, 0};
  size_t count = 0;
  for (size_t start = 0; start <= word.size() && count < 3;) {
    const size_t end = std::min(word.find(':', start), word.size());
    std::string_view digits = word.substr(start, end - start);
    if (count == 2) digits = digits.substr(0, std::min(digits.find('.'), digits.size()));
    if (!ReadMailNumber(digits, &part[count++])) return false;
    start = end + 1;
  }
  if (count < 2 || part[0] > 23 || part[1] > 59 || part[2] > 60) return false;
  *seconds = part[0] * 3600 + part[1] * 60 + std::min(part[2], 59);
  return true;
}

// Returns the offset from UTC in minutes. Unknown names are UTC (RFC 5322, section 4.3).
int MailZone(std::string_view word) {
  if (word.size() == 5 && (word[0] == '+' || word[0] == '-')) {
    int value = 0;
    if (!ReadMailNumber(word.substr(1), &value)) return 0;
    const int minutes = value / 100 * 60 + value % 100;
    if (minutes > 24 * 60) return 0;
    return word[0] == '-' ? -minutes : minutes;
  }
  static constexpr std::pair<std::string_view, int> kZones[] = {
      {"est", -300}, {"edt", -240}, {"cst", -360}, {"cdt", -300}, {"mst", -420},
      {"mdt", -360}, {"pst", -480}, {"pdt", -420}, {"cet", 60},   {"cest", 120},
      {"met", 60},   {"mest", 120}, {"bst", 60}};
  for (const auto& [name, minutes] : kZones) {
    if (IsMailWord(word, name)) return minutes;
  }
  return 0;
}

void AppendMailDigits(int64_t value, size_t width, std::string* out) {
  const std::string digits = std::to_string(value);
  out->append(width > digits.size() ? width - digits.size() : 0, '0');
  *out += digits;
}

// Returns a time in ISO 8601; "" before the year 0 and after 9999. A day that the month does not
// have is counted from the month's first.
std::string MailTimestamp(int year, int month, int day, int64_t seconds) {
  using namespace std::chrono;
  const sys_days first{std::chrono::year(year) / month / 1};
  const sys_seconds time = first + days(day - 1) + std::chrono::seconds(seconds);
  const sys_days midnight = floor<days>(time);
  const year_month_day date(midnight);
  const auto written_year = static_cast<int>(date.year());
  if (written_year < 0 || written_year > 9999) return "";
  const int64_t rest = (time - midnight).count();
  std::string out;
  AppendMailDigits(written_year, 4, &out);
  out += '-';
  AppendMailDigits(static_cast<unsigned>(date.month()), 2, &out);
  out += '-';
  AppendMailDigits(static_cast<unsigned>(date.day()), 2, &out);
  out += 'T';
  AppendMailDigits(rest / 3600, 2, &out);
  out += ':';
  AppendMailDigits(rest / 60 % 60, 2, &out);
  out += ':';
  AppendMailDigits(rest % 60, 2, &out);
  out += 'Z';
  return out;
}

// Returns the words of a date before its comment.
std::vector<std::string_view> MailDateWords(std::string_view raw) {
  std::vector<std::string_view> words;
  raw = raw.substr(0, 200);
  raw = raw.substr(0, std::min(raw.find('('), raw.size()));
  for (size_t at = 0; at < raw.size() && words.size() < 12;) {
    const size_t start = raw.find_first_not_of(" \t\r\n,", at);
    if (start == raw.npos) break;
    const size_t end = std::min(raw.find_first_of(" \t\r\n,", start), raw.size());
    words.push_back(raw.substr(start, end - start));
    at = end;
  }
  return words;
}

}  // namespace

bool ReadMailNumber(std::string_view word, int* number) {
  if (word.empty() || word.size() > 4) return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
  return error == std::errc() && end == word.data() + word.size() && *number >= 0;
}

std::string MailDateInUtc(std::string_view raw) {
  // The month has a name; the numbers beside it are the day and the year.
  int day = -1, month = 0, year = -1, seconds = -1, zone = 0;
  for (const std::string_view word : MailDateWords(raw)) {
    int number = 0;
    if (word.find(':') != word.npos) {
      if (seconds < 0) ReadMailTime(word, &seconds);
    } else if (month == 0 && MailMonth(word) != 0) {
      month = MailMonth(word);
    } else if (ReadMailNumber(word, &number)) {
      if (day < 0 && number >= 1 && number <= 31 && word.size() <= 2) {
        day = number;
      } else if (year < 0 && month > 0) {
        year = number;
        if (word.size() == 2) year += year < 50 ? 2000 : 1900;
        if (word.size() == 3) year += 1900;
      }
    } else if (seconds >= 0 && zone == 0) {
      zone = MailZone(word);
    }
  }
  if (day < 0 || month == 0 || year < 0 || seconds < 0) return "";
  return MailTimestamp(year, month, day, seconds - zone * 60);
}

}  // namespace recall
