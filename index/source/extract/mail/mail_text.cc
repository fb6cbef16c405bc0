#include "index/source/extract/mail/mail_text.h"

#include <algorithm>

#include <unordered_set>

#include "index/base/text/utf8.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

// Calls visit(word) for each word of a text. Ideographs and syllables, which no spaces part, are
// words each.
template <class Visit>
void ForEachMailWord(std::string_view text, Visit visit) {
  constexpr uint32_t kFirstIdeograph = 0x2E80;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("http://") || rest.starts_with("https://") || rest.starts_with("www.")) {
      at = std::min(text.find_first_of(" \t\n>)", at), text.size());
      continue;
    }
    const size_t start = at;
    size_t next = at;
    bool single = false;
    while (next < text.size()) {
      const char c = text[next];
      const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
      const bool is_letter = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
      if (is_ascii && !is_letter) break;
      size_t after = next;
      const bool ideograph = !is_ascii && DecodeUtf8(text, &after) >= kFirstIdeograph;
      if (ideograph && next > start) break;
      next = is_ascii ? next + 1 : after;
      single = ideograph;
      if (single) break;
    }
    if (next > start) visit(text.substr(start, next - start));
    at = std::max(next, start + (next == start ? 1 : 0));
  }
}

}  // namespace

bool IsMailStub(std::string_view plain, std::string_view html) {
  constexpr size_t kLeastHtmlWords = 8;  // of fewer, nothing can be said
  size_t plain_words = 0, html_words = 0;
  std::unordered_set<std::string> words;
  ForEachMailWord(plain, [&](std::string_view word) {
    ++plain_words;
    words.insert(LowerMail(word));
  });
  bool shares = false;
  ForEachMailWord(html, [&](std::string_view word) {
    ++html_words;
    shares = shares || words.contains(LowerMail(word));
  });
  return html_words >= kLeastHtmlWords && plain_words * (shares ? 3 : 1) < html_words;
}

std::string CleanMailText(std::string_view text) {
  std::string clean;
  clean.reserve(text.size() + 1);
  for (size_t i = 0; i < text.size();) {
    const size_t end = std::min(text.find_first_of(std::string_view("\r\0", 2), i), text.size());
    clean.append(text.substr(i, end - i));
    i = end;
    if (i == text.size()) break;
    if (text[i] == '\0') {
      AppendUtf8(0xFFFD, &clean);
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      clean.push_back('\n');
    }
    ++i;
  }
  while (!clean.empty() && (clean.back() == '\n' || clean.back() == ' ' || clean.back() == '\t')) {
    clean.pop_back();
  }
  // Leading lines of white space alone.
  const size_t first = std::min(clean.find_first_not_of(" \t\n"), clean.size());
  const size_t newline = clean.substr(0, first).rfind('\n');
  if (newline != std::string::npos) clean.erase(0, newline + 1);
  if (!clean.empty()) clean.push_back('\n');
  return clean;
}

std::string JoinFlowedMail(std::string_view text, bool delete_space) {
  std::string out;
  out.reserve(text.size());
  bool flows = false;  // the line before ends with a space
  size_t depth_before = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const size_t depth = std::min(line.find_first_not_of('>'), line.size());
    line.remove_prefix(depth);
    if (line.starts_with(' ')) line.remove_prefix(1);  // space-stuffing
    const bool signature = line == "-- ";
    if (flows && (depth != depth_before || signature)) {
      flows = false;
      out.push_back('\n');
    }
    if (!flows && depth > 0) {
      out.append(depth, '>');
      if (!line.empty()) out.push_back(' ');
    }
    flows = line.ends_with(' ') && !signature;
    depth_before = depth;
    if (flows && delete_space) line.remove_suffix(1);
    out += line;
    if (!flows) out.push_back('\n');
  }
  if (flows) out.push_back('\n');
  return out;
}

}  // namespace recall
