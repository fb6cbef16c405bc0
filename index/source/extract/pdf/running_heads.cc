#include "index/source/extract/pdf/running_heads.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "index/source/extract/pdf/word_set.h"

// A row near the edge of a page is left out if three pages have it at the same height:
//   - with the same words; or
//   - it contains a number that is, on each of them, as far from the number of the page as on the
//     others. That finds heads with the title of the chapter, and all forms of page numbers.
// Rows that are further in than the outermost one are judged by their words only: the first row of
// a text on each of three pages may well contain such a number.
//
// "The same height" is one of two grids, shifted by half a step, so that rows that differ by less
// than half a step always meet in one.

namespace recall {
namespace {

constexpr float kHeightStep = 4;  // points
constexpr uint32_t kPages = 3;
constexpr size_t kMaxRowWords = 20;  // of a row with a page number

std::vector<std::string_view> WordsOf(std::string_view row) {
  std::vector<std::string_view> words;
  while (!row.empty()) {
    const size_t end = std::min(row.find(' '), row.size());
    if (end > 0) words.push_back(row.substr(0, end));
    row.remove_prefix(std::min(end + 1, row.size()));
  }
  return words;
}

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

// Returns the number that a word ends with, as in "12", "A-12", "[12]", "xiv"; nothing if it ends
// with none.
std::optional<int64_t> PageNumber(std::string_view word) {
  const std::string comparable = ComparableWord(word);
  if (comparable.empty()) return std::nullopt;
  const size_t last = comparable.find_last_not_of("0123456789");
  const std::string_view digits =
      std::string_view(comparable).substr(last == std::string::npos ? 0 : last + 1);
  if (!digits.empty() && digits.size() <= 6) {
    int64_t number = 0;
    for (const char c : digits) number = number * 10 + (c - '0');
    return number;
  }
  if (comparable.size() > 8) return std::nullopt;
  int64_t number = 0;
  for (size_t i = 0; i < comparable.size(); ++i) {
    const int digit = RomanDigit(comparable[i]);
    if (digit == 0) return std::nullopt;
    const bool subtracts = i + 1 < comparable.size() && digit < RomanDigit(comparable[i + 1]);
    number += subtracts ? -digit : digit;
  }
  return number;
}

// Returns the signs of a row: texts that are equal for the same head on different pages.
std::vector<std::string> SignsOf(const PdfMarginRow& row, size_t page) {
  std::vector<std::string> signs;
  const std::string side = row.is_top ? "t" : "b";
  std::vector<std::string> facts = {"=" + row.text};
  const auto words = WordsOf(row.text);
  if (row.is_outermost && words.size() <= kMaxRowWords) {
    const bool few = words.size() <= 5;  // "Page 3 of 17"
    std::set<int64_t> distances;
    for (size_t i = 0; i < words.size(); ++i) {
      if (!few && i > 0 && i + 1 < words.size()) continue;
      if (const auto number = PageNumber(words[i])) {
        distances.insert(*number - static_cast<int64_t>(page));
      }
    }
    for (const int64_t distance : distances) facts.push_back("#" + std::to_string(distance));
  }
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

// Adds the words of a row that are neither known nor in `kept` to it. Returns whether there are
// any.
bool AddNewWords(const PdfMarginRow& row,
                 const std::function<bool(std::string_view word)>& is_known, PdfWordSet* kept) {
  std::vector<std::string> unknown;
  for (const std::string_view word : WordsOf(row.text)) {
    std::string comparable = ComparableWord(word);
    if (comparable.size() < 3 || PageNumber(word) || is_known(comparable) ||
        kept->Has(comparable)) {
      continue;
    }
    unknown.push_back(std::move(comparable));
  }
  // The word "page" beside a number carries no information, so it does not keep a row.
  std::erase(unknown, "page");
  std::erase(unknown, "seite");
  for (const std::string& word : unknown) kept->Add(word);
  return !unknown.empty();
}

}  // namespace

std::vector<std::vector<bool>> FindRunningHeads(
    const std::vector<const std::vector<PdfMarginRow>*>& pages,
    const std::function<bool(std::string_view word)>& is_known) {
  std::unordered_map<std::string, SignCount> counts;
  for (size_t page = 0; page < pages.size(); ++page) {
    for (const PdfMarginRow& row : *pages[page]) {
      for (const std::string& sign : SignsOf(row, page)) {
        SignCount& count = counts[sign];
        if (count.last_page == page) continue;
        count.last_page = page;
        ++count.pages;
      }
    }
  }
  PdfWordSet kept;  // words of heads that stay
  std::vector<std::vector<bool>> left_out(pages.size());
  for (size_t page = 0; page < pages.size(); ++page) {
    for (const PdfMarginRow& row : *pages[page]) {
      const bool repeats = std::ranges::any_of(SignsOf(row, page), [&](const std::string& sign) {
        return counts[sign].pages >= kPages;
      });
      left_out[page].push_back(repeats && !AddNewWords(row, is_known, &kept));
    }
  }
  return left_out;
}

}  // namespace recall
