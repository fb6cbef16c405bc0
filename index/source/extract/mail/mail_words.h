#pragma once

#include <string>
#include <string_view>

namespace recall {

// ASCII rules of mail headers.

inline bool IsMailSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

inline std::string_view TrimMail(std::string_view text) {
  while (!text.empty() && IsMailSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsMailSpace(text.back())) text.remove_suffix(1);
  return text;
}

inline char LowerMailChar(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string LowerMail(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = LowerMailChar(c);
  return lower;
}

// Whether the two are equal but for the case of letters. `lower` is in lower case.
inline bool IsMailWord(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (LowerMailChar(text[i]) != lower[i]) return false;
  }
  return true;
}

}  // namespace recall
