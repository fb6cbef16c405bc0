#include "index/source/extract/pdf/visual_order.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "index/base/text/utf8.h"

// A small part of what the Unicode bidirectional algorithm (UAX #9) does, backwards: the input
// lacks the embedding levels, so each word is taken as a whole.

namespace recall {
namespace {

bool IsRightToLeftLetter(uint32_t code) {
  return (code >= 0x590 && code < 0x900) || (code >= 0xFB1D && code < 0xFE00) ||
         (code >= 0xFE70 && code < 0xFEFF) || (code >= 0x10800 && code < 0x11000) ||
         (code >= 0x1E800 && code < 0x1F000);
}

// Digits of Arabic scripts are in blocks of right-to-left letters, but numbers are written from
// left to right.
bool IsArabicDigit(uint32_t code) {
  return (code >= 0x660 && code < 0x66D) || (code >= 0x6F0 && code < 0x6FA);
}

bool IsLeftToRight(uint32_t code) {
  return (code >= '0' && code <= '9') || ((code | 32) >= 'a' && (code | 32) <= 'z') ||
         IsArabicDigit(code) || (code >= 0xC0 && code < 0x590);
}

bool HasLatin(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; });
}

bool HasDigit(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

// Reverses each longest run of indices that begins and ends with a word that `is_core` accepts, and
// has only words that `is_inner` accepts between them.
template <class Core, class Inner>
void TurnRuns(std::vector<uint32_t>* order, Core is_core, Inner is_inner) {
  for (size_t begin = 0; begin < order->size();) {
    if (!is_core((*order)[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin + 1;
    size_t at = end;
    for (; at < order->size() && (is_core((*order)[at]) || is_inner((*order)[at])); ++at) {
      if (is_core((*order)[at])) end = at + 1;
    }
    std::reverse(order->begin() + static_cast<ptrdiff_t>(begin),
                 order->begin() + static_cast<ptrdiff_t>(end));
    begin = at;
  }
}

}  // namespace

bool HasRightToLeft(std::string_view word) {
  // The scripts from right to left begin at U+0590, whose first byte in UTF-8 is D6.
  if (std::ranges::none_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0xD6; })) {
    return false;
  }
  for (size_t at = 0; at < word.size();) {
    if (IsRightToLeftLetter(DecodeUtf8(word, &at))) return true;
  }
  return false;
}

std::string InReadingOrder(std::string_view word) {
  std::vector<uint32_t> codes;
  for (size_t at = 0; at < word.size();) codes.push_back(DecodeUtf8(word, &at));
  std::ranges::reverse(codes);
  // Numbers and Latin words, with the signs inside them ("12.5"), are reversed once more, back to
  // their own order.
  for (size_t begin = 0; begin < codes.size();) {
    if (!IsLeftToRight(codes[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin + 1, at = end;
    for (; at < codes.size() && !(IsRightToLeftLetter(codes[at]) && !IsArabicDigit(codes[at]));
         ++at) {
      if (IsLeftToRight(codes[at])) end = at + 1;
    }
    std::reverse(codes.begin() + static_cast<ptrdiff_t>(begin),
                 codes.begin() + static_cast<ptrdiff_t>(end));
    begin = at;
  }
  std::string ordered;
  for (const uint32_t code : codes) AppendUtf8(code, &ordered);
  return ordered;
}

std::vector<uint32_t> ReadingOrder(const std::vector<std::string_view>& words) {
  std::vector<uint32_t> order(words.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<bool> from_right;
  size_t count = 0, latin = 0;
  for (const std::string_view word : words) {
    from_right.push_back(HasRightToLeft(word));
    count += from_right.back() ? 1 : 0;
    latin += !from_right.back() && HasLatin(word) ? 1 : 0;
  }
  if (count == 0) return order;
  if (count >= latin) {
    std::ranges::reverse(order);
    TurnRuns(
        &order, [&](uint32_t i) { return !from_right[i] && HasLatin(words[i]); },
        [&](uint32_t i) { return !from_right[i] && HasDigit(words[i]); });
  } else {
    TurnRuns(
        &order, [&](uint32_t i) { return bool{from_right[i]}; },
        [&](uint32_t i) { return !HasLatin(words[i]); });
  }
  return order;
}

}  // namespace recall
