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
  std::string without_colon;
  if (word.size() == 6 && word[3] == ':') {
    without_colon = std::string(word.substr(0, 3)) + std::string(word.substr(4));
    word = without_colon;
  }
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

struct MailDateFields {
  int day = -1, month = 0, year = -1;
  int seconds = -1;  // of the day
  int zone = 0;      // minutes
};

// A year of two digits is one from 1950 to 2049, one of three counts from 1900.
int FullMailYear(int number, size_t digits) {
  if (digits == 2) return number + (number < 50 ? 2000 : 1900);
  return digits == 3 ? number + 1900 : number;
}

// Reads "01-Jan-2011", "2011-Jan-01", "2011-01-31", and "2011-01-31T08:41:18Z" with its time.
// Returns: false, and leaves *date, if the word is none of these.
bool ReadMailDashedDate(std::string_view word, MailDateFields* date) {
  const size_t first = word.find('-');
  if (first == word.npos || first == 0) return false;
  const size_t second = word.find('-', first + 1);
  if (second == word.npos) return false;
  const size_t end = std::min(word.find_first_of("Tt", second), word.size());
  const std::string_view head = word.substr(0, first);
  const std::string_view middle = word.substr(first + 1, second - first - 1);
  const std::string_view last = word.substr(second + 1, end - second - 1);
  const bool is_named = MailMonth(middle) != 0;
  int month = MailMonth(middle);
  const bool year_first = head.size() == 4;
  if (!is_named && (!year_first || !ReadMailNumber(middle, &month))) return false;
  int day = 0, year = 0;
  const std::string_view day_word = year_first ? last : head;
  const std::string_view year_word = year_first ? head : last;
  if (!ReadMailNumber(day_word, &day) || !ReadMailNumber(year_word, &year)) return false;
  if (day < 1 || day > 31 || month < 1 || month > 12 || day_word.size() > 2) return false;
  date->day = day;
  date->month = month;
  date->year = FullMailYear(year, year_word.size());
  return true;
}

// Reads a time with a zone behind it, "08:41:18.5+01:00", and an ISO date before it.
void ReadMailTimeAndZone(std::string_view word, MailDateFields* date) {
  if (const size_t t = word.find_first_of("Tt"); t != word.npos && t >= 8) {
    if (date->month == 0) ReadMailDashedDate(word, date);
    word.remove_prefix(t + 1);
  }
  const size_t end = std::min(word.find_first_not_of("0123456789:."), word.size());
  if (ReadMailTime(word.substr(0, end), &date->seconds)) date->zone = MailZone(word.substr(end));
}

}  // namespace

bool ReadMailNumber(std::string_view word, int* number) {
  if (word.empty() || word.size() > 4) return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
  return error == std::errc() && end == word.data() + word.size() && *number >= 0;
}

std::string MailDateInUtc(std::string_view raw) {
  // The month has a name, or the date is in ISO 8601; the numbers beside it are the day and the
  // year.
  MailDateFields date;
  for (const std::string_view word : MailDateWords(raw)) {
    int number = 0;
    if (word.find(':') != word.npos && word[0] != '+' && word[0] != '-') {
      if (date.seconds < 0) ReadMailTimeAndZone(word, &date);
    } else if (date.month == 0 && ReadMailDashedDate(word, &date)) {
      continue;
    } else if (date.month == 0 && MailMonth(word) != 0) {
      date.month = MailMonth(word);
    } else if (ReadMailNumber(word, &number)) {
      if (date.day < 0 && number >= 1 && number <= 31 && word.size() <= 2) {
        date.day = number;
      } else if (date.year < 0 && date.month > 0) {
        date.year = FullMailYear(number, word.size());
      }
    } else if (date.seconds >= 0 && date.zone == 0) {
      date.zone = MailZone(word);
    }
  }
  if (date.day < 0 || date.month == 0 || date.year < 0 || date.seconds < 0) return "";
  return MailTimestamp(date.year, date.month, date.day, date.seconds - date.zone * 60);
}

}  // namespace recall
