#include "index/source/secrets/secret_text.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdlib>

#include "index/base/math/natural_log.h"

namespace recall {
namespace {

// For each first letter of a pair, the second letters that are frequent after it: 95 % of the pairs
// in English documentation and in the identifiers of programs. Bit 0 is `a`.
constexpr std::array<uint32_t, 26> kFrequentPairs = {
    0x1ffbf7f, 0x1164b17, 0x11ffd9d, 0x11ed93f, 0x1fff9ff, 0x01e6931, 0x01e79d7,
    0x01e4111, 0x2aff87f, 0x0040011, 0x0040111, 0x13cc97f, 0x014d91b, 0x03efd7d,
    0x07efd6f, 0x11ec9bd, 0x0100011, 0x13efd7f, 0x15efdff, 0x15ef9bf, 0x00eb97f,
    0x0004111, 0x0066191, 0x00c8114, 0x00cb915, 0x0000010};

bool IsFrequentPair(char first, char second) {
  const int a = SecretLowered(first) - 'a';
  const int b = SecretLowered(second) - 'a';
  return (kFrequentPairs[static_cast<size_t>(a)] >> b & 1) != 0;
}

// Returns how unusual a pair of letters and digits is in words, in halves: 0, 1 or 2.
int SurpriseOf(char first, char second) {
  const bool digit = IsSecretDigit(second);
  if (IsSecretDigit(first) != digit) return 2;
  if (digit) return 0;
  if (!IsFrequentPair(first, second)) return 2;
  return IsSecretLower(first) && IsSecretUpper(second) ? 1 : 0;
}

// The keys of a keyboard in rows of the same length.
constexpr std::string_view kKeyboard = "1234567890qwertyuiopasdfghjkl-zxcvbnm---";
constexpr int kKeysOfRow = 10;

// The place of a lower-case letter or a digit on the keyboard; -1: it is neither.
int PlaceOfKey(char c) {
  if (!IsSecretLower(c) && !IsSecretDigit(c)) return -1;
  return static_cast<int>(kKeyboard.find(c));
}

}  // namespace

std::string SecretLowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = SecretLowered(c);
  return lowered;
}

int DistinctBytes(std::string_view text) {
  std::bitset<256> seen;
  for (const char c : text) seen.set(static_cast<uint8_t>(c));
  return static_cast<int>(seen.count());
}

double EntropyOf(std::string_view text) {
  if (text.empty()) return 0;
  std::array<uint32_t, 256> counts = {};
  for (const char c : text) ++counts[static_cast<uint8_t>(c)];
  double sum = 0;
  for (const uint32_t count : counts) {
    if (count > 1) sum += count * NaturalLog(count);
  }
  const auto size = static_cast<double>(text.size());
  constexpr double kBitsOfE = 1.4426950408889634;
  return (NaturalLog(size) - sum / size) * kBitsOfE;
}

double Randomness(std::string_view text) {
  int surprise = 0;
  int pairs = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    if (!IsSecretAlnum(text[i - 1]) || !IsSecretAlnum(text[i])) continue;
    ++pairs;
    surprise += SurpriseOf(text[i - 1], text[i]);
  }
  return pairs == 0 ? 0 : surprise / (2.0 * pairs);
}

bool LooksTyped(std::string_view text) {
  constexpr size_t kLongText = 20;
  size_t pairs = 0;
  size_t in_row = 0;
  size_t near = 0;
  for (size_t i = 1; i < text.size(); ++i) {
    const int first = PlaceOfKey(text[i - 1]);
    const int second = PlaceOfKey(text[i]);
    if (first < 0 || second < 0) continue;
    ++pairs;
    if (first / kKeysOfRow != second / kKeysOfRow) continue;
    ++in_row;
    near += std::abs(first - second) <= 2;
  }
  const size_t share = text.size() >= kLongText ? 4 : 3;  // of pairs, one in so many
  return pairs >= 8 && in_row * 2 >= pairs && near * share >= pairs;
}

bool MayBeginSecret(std::string_view text, size_t begin) {
  if (begin == 0 || !IsSecretAlnum(text[begin - 1])) return true;
  const std::string_view before =
      text.substr(begin - std::min<size_t>(begin, 12), std::min<size_t>(begin, 12));
  const size_t size = before.size();
  const auto hex = [&](size_t count) {
    if (size <= count) return false;
    for (size_t i = 0; i < count; ++i) {
      if (!IsSecretHex(before[size - 1 - i])) return false;
    }
    return true;
  };
  const char last = before.back();
  if (size > 1 && before[size - 2] == '\\' &&
      std::string_view("nrtbfv0").find(last) != std::string_view::npos) {
    return true;
  }
  if (hex(2) && (before[size - 3] == '%' || (size > 3 && before.substr(size - 4, 2) == "\\x"))) {
    return true;
  }
  if (size > 5 && hex(4) && before.substr(size - 6, 2) == "\\u") return true;
  if (last != 'm') return false;
  const size_t bracket = before.rfind('[');
  return bracket != before.npos && bracket > 0 &&
         before.substr(bracket + 1).find_first_not_of("0123456789;m") == before.npos;
}

}  // namespace recall
