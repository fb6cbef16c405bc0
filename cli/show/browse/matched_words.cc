#include "cli/show/browse/matched_words.h"

#include <algorithm>
#include <functional>

#include "cli/show/browse/hit_text.h"

namespace recall {
namespace {

constexpr size_t kMostMatchedWords = 64;
// An excerpt has so many bytes before the first match, and in all.
constexpr size_t kMostLead = 24;
constexpr size_t kMostExcerptBytes = 400;

bool IsAsciiWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsWordByte(char c) { return IsAsciiWordByte(c) || static_cast<unsigned char>(c) >= 0x80; }

// Whether a character that begins with this byte joins words: of ASCII, and the letters of scripts
// that separate words. From U+2000 on are punctuation, symbols and scripts that do not.
bool JoinsWords(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return IsAsciiWordByte(lead) || (byte >= 0xC3 && byte <= 0xE1);
}

char LeadBefore(std::string_view text, size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return text[at];
}

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool BeginsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::ranges::equal(text.substr(0, word.size()), word,
                            [](char a, char b) { return LowerAscii(a) == LowerAscii(b); });
}

// The length of the longest of the words that is whole at `at`; 0 if none is.
size_t WordAt(std::string_view text, size_t at, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (!BeginsWith(text.substr(at), word)) continue;
    const size_t end = at + word.size();
    const bool joined_before =
        at > 0 && IsAsciiWordByte(word.front()) && JoinsWords(LeadBefore(text, at));
    const bool joined_behind =
        end < text.size() && IsAsciiWordByte(word.back()) && JoinsWords(text[end]);
    if (!joined_before && !joined_behind) return word.size();
  }
  return 0;
}

void AddWord(std::string_view word, std::vector<std::string>* words) {
  if (word.size() < 2 || words->size() >= kMostMatchedWords) return;
  if (std::ranges::find(*words, word) == words->end()) words->emplace_back(word);
}

// Where an excerpt of the line that begins at `begin` begins, whose first match is at `first`: the
// start of a word.
size_t ExcerptStart(std::string_view text, size_t begin, size_t first) {
  if (first - begin <= kMostLead) return begin;
  const size_t space = text.find(' ', first - kMostLead);
  return space < first ? space + 1 : first;
}

}  // namespace

std::vector<std::string> MatchedWords(std::string_view question, const SearchHit& hit) {
  std::vector<std::string> words;
  for (size_t at = 0; at < question.size();) {
    size_t end = at;
    while (end < question.size() && IsWordByte(question[end])) ++end;
    AddWord(question.substr(at, end - at), &words);
    at = end + 1;
  }
  if (hit.snippet) {
    const std::string_view text = hit.snippet->text;
    for (const ByteRange& range : hit.snippet->highlights) {
      if (range.end > text.size()) continue;
      AddWord(text.substr(range.start, range.end - range.start), &words);
    }
  }
  std::ranges::stable_sort(words, std::greater(), [](const auto& word) { return word.size(); });
  return words;
}

void AppendWithMatches(ScreenRow& row, std::string_view text, Paint paint,
                       std::span<const std::string> words) {
  const std::string shown = EscapeLine(text);
  for (size_t at = 0; at < shown.size();) {
    if (const size_t length = WordAt(shown, at, words); length > 0) {
      Append(row, shown.substr(at, length), Paint::kMatch);
      at += length;
      continue;
    }
    const size_t length = FirstCharacter(std::string_view(shown).substr(at));
    Append(row, shown.substr(at, length), paint);
    at += length;
  }
}

void AppendExcerpt(ScreenRow& row, const Snippet& snippet, bool utf8) {
  const std::string_view text = snippet.text;
  size_t best = 0;
  size_t best_begin = 0;
  size_t first = 0;  // the first match of the best line
  for (size_t i = 0; i < snippet.highlights.size();) {
    const size_t start = snippet.highlights[i].start;
    if (start >= text.size()) break;
    const size_t newline = start == 0 ? std::string_view::npos : text.rfind('\n', start - 1);
    const size_t end = std::min(text.find('\n', start), text.size());
    size_t marked = 0;
    for (; i < snippet.highlights.size() && snippet.highlights[i].start < end; ++i) {
      marked += snippet.highlights[i].end - snippet.highlights[i].start;
    }
    if (marked == 0) ++i;  // a range without characters
    if (marked <= best) continue;
    best = marked;
    best_begin = newline == std::string_view::npos ? 0 : newline + 1;
    first = start;
  }
  if (best == 0) return;
  size_t end = std::min(text.find('\n', first), text.size());
  if (end > first && text[end - 1] == '\r') --end;
  while (best_begin < first && (text[best_begin] == ' ' || text[best_begin] == '\t')) ++best_begin;
  const size_t begin = ExcerptStart(text, best_begin, first);
  end = std::min(end, begin + kMostExcerptBytes);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  const std::string_view cut = utf8 ? "  …" : "  ...";
  Append(row, std::string(begin > best_begin ? cut : "  "), Paint::kPlain);
  AppendGlyphs(row, GlyphsOf(text, snippet.highlights, begin, end));
}

}  // namespace recall
