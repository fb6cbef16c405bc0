// Chooses the part of a chunk that best shows why the chunk matches.
//
// 1. Find the matches: tokens, phrases and prefixes of the query among the tokens that the index
//    has of the chunk, with their byte offsets in the text. In code, those in lines that only
//    import do not count beside others.
// 2. Find the offsets at which the text may be cut: units, lines and words.
// 3. Try windows. A window can begin at its first match without losing one, so only starts at a
//    match or shortly before it are tried, five per match, in order of preference:
//
//       ... sentence one. A line begins with | a few words of lead-in, then the MATCH
//           ^unit         ^line                ^lead word                  ^word ^match
//
//    The window with matches of the most clauses wins; ties go to the earlier kind of start, then
//    to the earlier match. Without a match the snippet begins at the first unit.
// 4. Shorten the window to the end of a unit or line if this loses no match and at most half of its
//    room.
//
// Cost: O(tokens + m * (log(cuts) + matches in a window)) for m matches. A start that was tried for
// the previous match is not tried again.

#include "query/ask/passages/snippet.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "index/base/text/utf8.h"
#include "index/search/lexical/phrase_match.h"
#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"
#include "index/source/code/import_lines.h"
#include "query/ask/passages/text_units.h"
#include "query/ask/passages/token_counter.h"

namespace recall {
namespace {

// If a snippet must begin inside a sentence, it begins at most 1/kLeadShare of its size before a
// match.
constexpr size_t kLeadShare = 4;

// Returns: the last of `cuts` that is at most `limit`, or `otherwise` if none is.
size_t LastUpTo(const std::vector<size_t>& cuts, size_t limit, size_t otherwise) {
  const auto next = std::ranges::upper_bound(cuts, limit);
  return next == cuts.begin() ? otherwise : *(next - 1);
}

constexpr size_t kWideBytes = 3;  // size of a full-width mark that ends a sentence

// True when a sentence ends at `end`, inside the token that starts at `start`. It must end with a
// non-ASCII mark, because ASCII marks inside a token are part of names, and the next character must
// not be a mark.
bool IsWideStop(std::string_view text, size_t start, size_t end) {
  const auto ends_with_mark = [&](size_t at) {
    return at <= text.size() && static_cast<uint8_t>(text[at - 1]) >= 0x80 &&
           EndsStatement(text.substr(start, at - start));
  };
  if (!ends_with_mark(end) || ends_with_mark(end + kWideBytes)) return false;
  const char next = text[end];
  const bool is_word =
      (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z');
  return is_word || static_cast<uint8_t>(next) >= 0x80;
}

}  // namespace

SnippetCutter::SnippetCutter(const LexicalQuery& query, size_t most_bytes)
    : query_(query),
      most_bytes_(most_bytes),
      placer_(query.tokenizer_version),
      seen_in_(query.clauses.size()) {
  std::string first_letters;
  for (size_t i = 0; i < query.clauses.size(); ++i) {
    const LexicalClause& clause = query.clauses[i];
    if (clause.occur == LexicalClause::Occur::kMustNot) continue;
    for (const FtsPhrase& phrase : clause.any_of) {
      for (const std::string& token : phrase.tokens) first_letters += token[0];
      if (phrase.prefix && phrase.tokens.size() == 1) {
        beginnings_.push_back({&phrase, i});
      } else {
        by_first_token_[phrase.tokens.front()].push_back({&phrase, i});
      }
    }
  }
  placer_.StemOnly(first_letters);
}

// ---- Matches of the query -----------------------------------------------------------------------

void SnippetCutter::FindMatches(std::string_view text) {
  matches_.clear();
  places_.clear();
  placer_.Find(text);
  FindMatchesIn(placer_.body());
  FindMatchesIn(placer_.compound());
  std::ranges::sort(matches_, {}, [](const Match& match) {
    return std::tuple(match.start, match.end, match.clause);
  });
  std::ranges::sort(places_, {}, [](const TokenPlacer::Place& place) {
    return std::pair(place.start, place.end);
  });
}

void SnippetCutter::FindMatchesIn(const TokenPlacer::Tokens& tokens) {
  for (size_t at = 0; at < tokens.words.size(); ++at) {
    if (const auto found = by_first_token_.find(tokens.words[at]); found != by_first_token_.end()) {
      for (const Phrase& phrase : found->second) TakeMatch(phrase, tokens, at);
    }
    for (const Phrase& phrase : beginnings_) TakeMatch(phrase, tokens, at);
  }
}

void SnippetCutter::TakeMatch(const Phrase& phrase, const TokenPlacer::Tokens& tokens, size_t at) {
  if (!StandsAt(*phrase.phrase, tokens.words, at)) return;
  const size_t end = at + phrase.phrase->tokens.size();
  matches_.push_back({tokens.places[at].start, tokens.places[end - 1].end, phrase.clause});
  for (size_t i = at; i < end; ++i) places_.push_back(tokens.places[i]);
}

// ---- Possible cuts ------------------------------------------------------------------------------

SnippetCutter::Cuts SnippetCutter::FindCuts(std::string_view text, bool is_code) {
  Cuts cuts;
  for (const TextUnit& unit : CutUnits(text, is_code)) {
    cuts.starts[kUnits].push_back(unit.start);
    cuts.ends[kUnits].push_back(unit.end);
  }
  size_t last_end = 0;  // the end of the previous word
  for (size_t at = SkipWhiteSpace(text, 0); at < text.size(); at = SkipWhiteSpace(text, at)) {
    const size_t newline = text.substr(last_end, at - last_end).rfind('\n');
    const bool starts_line = newline != text.npos || last_end == 0;
    if (starts_line) {
      if (last_end > 0) cuts.ends[kLines].push_back(last_end);
      cuts.starts[kLines].push_back(newline == text.npos ? 0 : last_end + newline + 1);
    }
    cuts.starts[kWords].push_back(at);
    const size_t end = FindTokenEnd(text, at);
    for (size_t stop = at + 1; stop < end; ++stop) {
      if (!IsWideStop(text, at, stop)) continue;
      cuts.ends[kLines].push_back(stop);
      cuts.starts[kLines].push_back(stop);
    }
    cuts.ends[kWords].push_back(end);
    last_end = at = end;
  }
  if (last_end > 0) cuts.ends[kLines].push_back(last_end);
  return cuts;
}

// ---- Choice of the window -----------------------------------------------------------------------

size_t SnippetCutter::CountClauses(size_t start, size_t end) {
  ++windows_;
  size_t count = 0;
  for (auto match = std::ranges::lower_bound(matches_, start, {}, &Match::start);
       match != matches_.end() && match->start < end; ++match) {
    if (match->end > end || seen_in_[match->clause] == windows_) continue;
    seen_in_[match->clause] = windows_;
    ++count;
  }
  return count;
}

size_t SnippetCutter::LastMatchEnd(size_t start, size_t end) const {
  size_t last = start;
  for (auto match = std::ranges::lower_bound(matches_, start, {}, &Match::start);
       match != matches_.end() && match->start < end; ++match) {
    if (match->end <= end) last = std::max(last, match->end);
  }
  return last;
}

SnippetCutter::Window SnippetCutter::WindowFrom(std::string_view text, const Cuts& cuts,
                                                size_t start) {
  const size_t limit = start + std::min(most_bytes_, text.size() - start);
  size_t end = LastUpTo(cuts.ends[kWords], limit, 0);
  if (end <= start) end = FloorToCharacter(text, limit);
  const size_t needed = std::max(LastMatchEnd(start, end), start + most_bytes_ / 2);
  for (const CutKind kind : {kUnits, kLines}) {
    const size_t better = LastUpTo(cuts.ends[kind], end, 0);
    if (better < needed) continue;
    end = better;
    break;
  }
  return {start, end, CountClauses(start, end)};
}

SnippetCutter::Window SnippetCutter::Choose(std::string_view text, const Cuts& cuts) {
  if (cuts.starts[kUnits].empty()) return {};
  Window best;
  size_t best_kind = 0;
  std::array<size_t, 5> tried;
  tried.fill(text.npos);
  for (const Match& match : matches_) {
    const size_t lead = match.start - std::min(match.start, most_bytes_ / kLeadShare);
    const auto word = std::ranges::lower_bound(cuts.starts[kWords], lead);
    const bool has_word = word != cuts.starts[kWords].end() && *word <= match.start;
    const std::array<size_t, 5> starts = {
        LastUpTo(cuts.starts[kUnits], match.start, 0),
        LastUpTo(cuts.starts[kLines], match.start, 0),
        has_word ? *word : FloorToCharacter(text, lead),
        LastUpTo(cuts.starts[kWords], match.start, 0),
        match.start,
    };
    for (size_t kind = 0; kind < starts.size(); ++kind) {
      if (match.end - starts[kind] > most_bytes_ || tried[kind] == starts[kind]) continue;
      tried[kind] = starts[kind];
      const Window window = WindowFrom(text, cuts, starts[kind]);
      const bool better = window.clauses > best.clauses ||
                          (window.clauses == best.clauses && best.clauses > 0 && kind < best_kind);
      if (!better) continue;
      best = window;
      best_kind = kind;
    }
  }
  return best.clauses > 0 ? best : WindowFrom(text, cuts, cuts.starts[kUnits].front());
}

std::vector<ByteRange> SnippetCutter::HighlightsIn(const Window& window) const {
  std::vector<ByteRange> highlights;
  for (const TokenPlacer::Place& place : places_) {
    if (place.start < window.start || place.end > window.end) continue;
    const ByteRange range{place.start - window.start, place.end - window.start};
    if (!highlights.empty() && range.start <= highlights.back().end) {
      highlights.back().end = std::max(highlights.back().end, range.end);
    } else {
      highlights.push_back(range);
    }
  }
  return highlights;
}

std::vector<std::string> SnippetCutter::MatchedTerms(std::string_view text) {
  FindMatches(text);
  std::vector<bool> matched(query_.clauses.size());
  for (const Match& match : matches_) matched[match.clause] = true;
  std::vector<std::string> terms;
  for (size_t i = 0; i < matched.size(); ++i) {
    if (matched[i]) terms.push_back(query_.clauses[i].text);
  }
  return terms;
}

// Lines that only import show less than others why a chunk matches.
void SnippetCutter::DropMatchesInImports(std::string_view text) {
  const std::vector<LineSpan> imports = FindImports(text);
  if (imports.empty()) return;
  const auto is_inside = [&](const Match& match) {
    return std::ranges::any_of(imports, [&](const LineSpan& lines) {
      return lines.begin <= match.start && match.end <= lines.end;
    });
  };
  if (!std::ranges::all_of(matches_, is_inside)) std::erase_if(matches_, is_inside);
}

Snippet SnippetCutter::Cut(const ChunkView& chunk, bool is_code) {
  const std::string_view text = chunk.text;
  FindMatches(text);
  if (is_code) DropMatchesInImports(text);
  const Window window = Choose(text, FindCuts(text, is_code));
  Snippet snippet;
  snippet.text = text.substr(window.start, window.end - window.start);
  snippet.start_byte = chunk.start_byte + window.start;
  snippet.end_byte = chunk.start_byte + window.end;
  const auto before = text.substr(0, window.start);
  snippet.start_line =
      chunk.start_line + static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  snippet.end_line = EndLine(snippet.start_line, snippet.text);
  snippet.highlights = HighlightsIn(window);
  return snippet;
}

}  // namespace recall
