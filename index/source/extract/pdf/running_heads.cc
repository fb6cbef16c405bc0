#include "index/source/extract/pdf/running_heads.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "index/source/extract/pdf/word_set.h"

// Problem. Pages repeat the title of the book and their number. In the text they would stand in the
// middle of sentences and be found on every page. But a line at the edge may also be all that tells
// pages apart: "Invoice 1003", "Chapter 4", "Payslip 2024-03".
//
// Idea. A row consists of cells, with wide gaps between them. It is left out if three pages have
// each of its cells at the same height, either
//   - with the same words; or
//   - as a page number: nothing but a number that is, on each of them, as far from the number of
//     the page as on the others, and words such as "page" and "of 17".
// A number beside other words is theirs and stays. So does a heading, in larger letters.
//
// Two pages are less evidence: an outermost row without digits that stands apart from the text is
// left out if it is the same, at the same place, on one of the two pages before (two, because odd
// and even pages may have titles of their own). There it stays, so no text is lost.
//
// Rows that are further in than the outermost one have no page numbers: the first row of a text may
// well be a number. "The same height" is one of two grids, shifted by half a step, so that rows
// that differ by less than half a step always meet in one.
//
// Invariant. Of rows with a word or number that is nowhere else, one stays.
//
// Cost. Linear in the rows, of which a page has at most four.

namespace recall {
namespace {

constexpr float kHeightStep = 4;  // points
constexpr float kApart = 2;       // heights of letters
constexpr uint32_t kPages = 3;
constexpr int64_t kMostOfPageNumber = 1000;  // beyond the number of pages
// Words that stand beside page numbers, in lower case, also in the scripts without it.
constexpr std::string_view kPageWords[] = {
    "p",      "pp",    "pg",     "page",     "pages",  "of",  "s",      "seite", "seiten",
    "von",    "de",    "sur",    "página",   "pagina", "pág", "pag",    "di",    "strona",
    "str",    "z",     "sida",   "side",     "av",     "af",  "sivu",   "oldal", "stránka",
    "strana", "sayfa", "стр",    "страница", "из",     "с",   "σελίδα", "第",    "页",
    "頁",     "共",    "ページ", "페이지",   "쪽"};

std::vector<std::string_view> SplitAt(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

int RomanDigit(char c) {
  switch (c) {
    case 'i':
      return 1;
    case 'v':
      return 5;
    case 'x':
      return 10;
    case 'l':
      return 50;
    case 'c':
      return 100;
    default:
      return 0;
  }
}

// The value of a Roman number below 400, in lower case; nothing for other letters.
std::optional<int64_t> RomanNumber(std::string_view letters) {
  constexpr size_t kLongest = 9;  // ccclxxxviii is longer, but no page has it
  if (letters.empty() || letters.size() > kLongest) return std::nullopt;
  int64_t number = 0;
  for (size_t i = 0; i < letters.size(); ++i) {
    const int digit = RomanDigit(letters[i]);
    if (digit == 0) return std::nullopt;
    const bool subtracts = i + 1 < letters.size() && digit < RomanDigit(letters[i + 1]);
    number += subtracts ? -digit : digit;
  }
  return number;
}

// Adds the numbers of a word, which has no punctuation: "12", "xiv", "A12", "第3页". Returns false
// if it has other letters.
bool AddNumbers(std::string_view word, std::vector<int64_t>* numbers) {
  constexpr size_t kMostDigits = 6;
  while (!word.empty()) {
    const bool digits = IsDigit(word.front());
    const auto run = static_cast<size_t>(
        std::ranges::find_if(word, [&](char c) { return IsDigit(c) != digits; }) - word.begin());
    const std::string text = ComparableWord(word.substr(0, run));
    word.remove_prefix(run);
    if (digits) {
      if (run > kMostDigits) return false;
      numbers->push_back(std::stoll(text));
    } else if (std::ranges::find(kPageWords, text) != std::end(kPageWords)) {
      continue;
    } else if (const auto roman = RomanNumber(text)) {
      numbers->push_back(*roman);
    } else if (text.size() != 1) {  // the letter of an appendix
      return false;
    }
  }
  return true;
}

// The number of a page, if the cell is nothing else; `pages` is how many the file has.
std::optional<int64_t> PageNumber(std::string_view cell, size_t pages) {
  std::vector<int64_t> numbers;
  for (std::string_view word : SplitAt(cell, " -/|.,:;()[]{}<>~*_=+#\"'")) {
    // En and em dashes and middle dots around a number.
    for (const std::string_view mark : {"\u2013", "\u2014", "\u00B7", "\u2022"}) {
      while (word.starts_with(mark)) word.remove_prefix(mark.size());
      while (word.ends_with(mark)) word.remove_suffix(mark.size());
    }
    if (!AddNumbers(word, &numbers)) return std::nullopt;
  }
  // Much more than there are pages is a year, or the number of an order.
  const auto limit = static_cast<int64_t>(pages) + kMostOfPageNumber;
  if (!numbers.empty() && numbers[0] > limit) return std::nullopt;
  if (numbers.size() == 1) return numbers[0];
  if (numbers.size() != 2) return std::nullopt;
  // "3 of 17": not a date, such as 2024-01.
  const auto most = static_cast<int64_t>(2 * pages + 20);
  const bool is_share = numbers[0] <= numbers[1] && numbers[1] <= most;
  return is_share ? std::optional(numbers[0]) : std::nullopt;
}

// The signs of a cell: texts that are equal for the same head on different pages.
std::vector<std::string> SignsOf(const PdfMarginRow& row, std::string_view cell,
                                 std::optional<int64_t> distance) {
  std::vector<std::string> signs;
  const std::string side = row.is_top ? "t" : "b";
  std::vector<std::string> facts = {"=" + std::string(cell)};
  if (distance) facts.push_back("#" + std::to_string(*distance));
  const double grid = row.distance / kHeightStep;
  for (const std::string& fact : facts) {
    signs.push_back(side + "0 " + std::to_string(static_cast<int64_t>(grid)) + fact);
    signs.push_back(side + "1 " + std::to_string(static_cast<int64_t>(grid + 0.5)) + fact);
  }
  return signs;
}

struct SignCount {
  uint32_t pages = 0;
  size_t last_page = ~size_t{0};
};

// Adds the words and numbers of a cell that are neither known nor in `kept` to it. Returns whether
// there are any.
bool AddNewWords(std::string_view cell, const std::function<bool(std::string_view word)>& is_known,
                 PdfWordSet* kept) {
  std::vector<std::string> unknown;
  for (const std::string_view word : SplitAt(cell, " ")) {
    std::string comparable = ComparableWord(word);
    const bool is_short = comparable.size() < 3 && std::ranges::none_of(comparable, IsDigit);
    if (comparable.empty() || is_short || is_known(comparable) || kept->Has(comparable)) continue;
    unknown.push_back(std::move(comparable));
  }
  for (const std::string& word : unknown) kept->Add(word);
  return !unknown.empty();
}

// Whether a row is farther from the next one than the lines of a text are. A row without a next one
// is all that its page says.
bool StandsApart(const PdfMarginRow& row) { return row.gap > kApart * row.letter_height; }

// Whether `row` of a page is a title that one of the two pages before has, too.
bool RepeatsRecentTitle(const std::vector<const std::vector<PdfMarginRow>*>& pages, size_t page,
                        const PdfMarginRow& row) {
  if (!row.is_outermost || std::ranges::any_of(row.text, IsDigit)) return false;
  if (!StandsApart(row)) return false;
  for (size_t before = page - std::min<size_t>(page, 2); before < page; ++before) {
    for (const PdfMarginRow& other : *pages[before]) {
      if (other.is_outermost && other.is_top == row.is_top && other.text == row.text &&
          std::fabs(other.distance - row.distance) < kHeightStep / 2 &&
          std::fabs(other.letter_height - row.letter_height) < 0.5f && StandsApart(other)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

std::vector<std::vector<bool>> FindRunningHeads(
    const std::vector<const std::vector<PdfMarginRow>*>& pages, float heading_height,
    const std::function<bool(std::string_view word)>& is_known) {
  const auto distance_of = [&](const PdfMarginRow& row, std::string_view cell, size_t page) {
    const auto number = row.is_outermost ? PageNumber(cell, pages.size()) : std::nullopt;
    return number ? std::optional(*number - static_cast<int64_t>(page)) : std::nullopt;
  };
  std::unordered_map<std::string, SignCount> counts;
  for (size_t page = 0; page < pages.size(); ++page) {
    for (const PdfMarginRow& row : *pages[page]) {
      for (const std::string_view cell : SplitAt(row.text, "\t")) {
        for (const std::string& sign : SignsOf(row, cell, distance_of(row, cell, page))) {
          SignCount& count = counts[sign];
          if (count.last_page == page) continue;
          count.last_page = page;
          ++count.pages;
        }
      }
    }
  }
  const auto repeats = [&](const std::string& sign) { return counts[sign].pages >= kPages; };
  PdfWordSet kept;  // words of heads that stay
  std::vector<std::vector<bool>> left_out(pages.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    for (const PdfMarginRow& row : *pages[page]) {
      const std::vector<std::string_view> cells = SplitAt(row.text, "\t");
      const auto is_head = [&](std::string_view cell) {
        return std::ranges::any_of(SignsOf(row, cell, distance_of(row, cell, page)), repeats);
      };
      bool goes = row.letter_height < heading_height && std::ranges::all_of(cells, is_head);
      for (size_t i = 0; i < cells.size() && goes; ++i) {
        goes = distance_of(row, cells[i], page) || !AddNewWords(cells[i], is_known, &kept);
      }
      if (row.letter_height < heading_height && RepeatsRecentTitle(pages, page, row)) goes = true;
      left_out[page].push_back(goes);
    }
  }
  return left_out;
}

}  // namespace recall
