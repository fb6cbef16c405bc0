// Chooses the part of a chunk that best shows why the chunk matches.
//
// 1. Find the matches: tokens, phrases and prefixes of the query among the tokens that the index
//    has of the chunk, with their byte offsets in the text. In code, those in lines that only
//    import do not count beside others.
// 2. Cut the text into the units of contexts (query/ask/passages/passage_units.h). Those that do
//    not fit into a snippet are cut at sentences.
// 3. Choose the unit that answers. Its evidence is that of a context (docs/RETRIEVAL.md,
//    "Context"), with the units of this chunk for the pool:
//
//      evidence(unit) = sum of the weights of the clauses in it + 1/2 of those only in its headings
//      value(unit)    = evidence + 1/2, 1/4, 1/8 of that of its neighbours
//
//    A word that few units of the chunk have tells them apart, as numbers and names do.
// 4. Choose the window. It has the whole unit, and of these windows, which begin at a unit, the one
//    whose clauses weigh most, then the first. If the unit does not fit, the window begins at a
//    match in it or shortly before it, five starts per match, in order of preference:
//
//       ... sentence one. A line begins with | a few words of lead-in, then the MATCH
//           ^unit         ^line                ^lead word                  ^word ^match
//
//    The window whose clauses weigh most wins; ties go to the earlier kind of start, then to the
//    earlier match. Without a match the snippet begins at the first unit.
// 5. Shorten the window to the end of a unit or line if this loses no match and at most half of its
//    room.
//
// Cost: O(tokens + units * windows + m * (log(cuts) + matches in a window)) for m matches, with the
// windows that fit before a unit. A start that was tried for the previous match is not tried again.

#include "query/ask/passages/snippet.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "index/base/text/utf8.h"
#include "index/search/lexical/bm25.h"
#include "index/search/lexical/phrase_match.h"
#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"
#include "index/source/code/import_lines.h"
#include "query/ask/passages/token_counter.h"

namespace recall {
namespace {

// If a snippet must begin inside a sentence, it begins at most 1/kLeadShare of its size before a
// match.
constexpr size_t kLeadShare = 4;
// A match in a heading of a unit, and the evidence of a neighbour, at each step, count this much.
constexpr double kHeadingShare = 0.5;
constexpr double kNeighbourShare = 0.5;
constexpr size_t kUnitNeighbours = 3;
constexpr int64_t kFewestWords = 8;  // tokens

using Kind = PassageUnit::Kind;

// Whether a weight is less than another. Sums of the same weights in another order are equal.
bool IsLess(double weight, double other) { return weight < other - 1e-9; }

// Cuts a unit of more than `most_bytes` after its sentences.
void AddSentences(std::string_view text, const PassageUnit& unit, std::vector<PassageUnit>* units) {
  PassageUnit sentence = unit;
  int64_t tokens = 0;
  for (size_t at = SkipWhiteSpace(text, unit.start); at < unit.end; at = SkipWhiteSpace(text, at)) {
    const size_t end = FindTokenEnd(text, at);
    sentence.end = end;
    ++tokens;
    if (end < unit.end && tokens >= kFewestWords && EndsSentence(text.substr(at, end - at))) {
      units->push_back(sentence);
      sentence.start = SkipWhiteSpace(text, end);
      tokens = 0;
    }
    at = end;
  }
  units->push_back(sentence);
}

// The units of a chunk, with those that do not fit into a snippet cut at sentences.
std::vector<PassageUnit> UnitsForSnippets(const ChunkView& chunk, bool is_code, size_t most_bytes) {
  const auto whole = CutPassageUnits(chunk.text, is_code, chunk.start_byte == 0);
  std::vector<PassageUnit> units;
  std::vector<size_t> place_of;  // of each whole unit in `units`
  for (const PassageUnit& unit : whole) {
    place_of.push_back(units.size());
    if (unit.end - unit.start > most_bytes) {
      AddSentences(chunk.text, unit, &units);
    } else {
      units.push_back(unit);
    }
  }
  for (PassageUnit& unit : units) {
    for (auto* above : {&unit.heading, &unit.header}) {
      if (*above) *above = place_of[**above];
    }
  }
  return units;
}

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

SnippetCutter::Cuts SnippetCutter::FindCuts(std::string_view text,
                                            const std::vector<PassageUnit>& units) {
  Cuts cuts;
  for (const PassageUnit& unit : units) {
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

double SnippetCutter::WeighFurther(size_t start, size_t end) {
  double weight = 0;
  for (auto match = std::ranges::lower_bound(matches_, start, {}, &Match::start);
       match != matches_.end() && match->start < end; ++match) {
    if (match->end > end || seen_in_[match->clause] == windows_) continue;
    seen_in_[match->clause] = windows_;
    weight += weights_[match->clause];
  }
  return weight;
}

double SnippetCutter::WeighClauses(size_t start, size_t end) {
  ++windows_;
  return WeighFurther(start, end);
}

void SnippetCutter::SetWeights(const std::vector<PassageUnit>& units) {
  weights_.assign(query_.clauses.size(), 0);
  std::vector<uint64_t> with(query_.clauses.size());
  for (const PassageUnit& unit : units) {
    ++windows_;
    for (auto match = std::ranges::lower_bound(matches_, unit.start, {}, &Match::start);
         match != matches_.end() && match->start < unit.end; ++match) {
      if (seen_in_[match->clause] == windows_) continue;
      seen_in_[match->clause] = windows_;
      ++with[match->clause];
    }
  }
  for (size_t i = 0; i < weights_.size(); ++i) {
    const LexicalClause& clause = query_.clauses[i];
    weights_[i] = clause.count * clause.boost * InverseDocumentFrequency(units.size(), with[i]);
  }
}

// ---- Choice of the unit -------------------------------------------------------------------------

const PassageUnit* SnippetCutter::BestUnit(const std::vector<PassageUnit>& units) {
  std::vector<double> evidence;
  for (const PassageUnit& unit : units) {
    double own = WeighClauses(unit.start, unit.end);
    for (const auto& above : {unit.heading, unit.header}) {
      if (above) own += kHeadingShare * WeighFurther(units[*above].start, units[*above].end);
    }
    evidence.push_back(own);
  }
  const PassageUnit* best = nullptr;
  double greatest = 0;
  bool best_heads = true;  // headings are chosen only where nothing else matches
  for (size_t i = 0; i < units.size(); ++i) {
    if (evidence[i] <= 0) continue;
    double value = evidence[i];
    double share = 1;
    for (size_t step = 1; step <= kUnitNeighbours; ++step) {
      share *= kNeighbourShare;
      if (i >= step) value += share * evidence[i - step];
      if (i + step < units.size()) value += share * evidence[i + step];
    }
    const bool heads = units[i].kind == Kind::kHeading || units[i].kind == Kind::kHeader;
    if (std::pair(!heads, value) <= std::pair(!best_heads, greatest)) continue;
    best = &units[i];
    greatest = value;
    best_heads = heads;
  }
  return best;
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
  const bool whole = std::ranges::binary_search(cuts.ends[kUnits], end);
  return {start, end, WeighClauses(start, end), whole};
}

SnippetCutter::Window SnippetCutter::Choose(std::string_view text,
                                            const std::vector<PassageUnit>& units,
                                            const Cuts& cuts) {
  if (units.empty()) return {};
  SetWeights(units);
  const PassageUnit* unit = BestUnit(units);
  if (!unit) return WindowFrom(text, cuts, units.front().start);
  if (unit->end - unit->start > most_bytes_) return ChooseWithin(text, *unit, cuts);
  Window best = WindowFrom(text, cuts, unit->start);
  for (const PassageUnit* from = unit; from != units.data();) {
    --from;
    if (unit->end - from->start > most_bytes_) break;
    const Window window = WindowFrom(text, cuts, from->start);
    const bool as_much = !IsLess(window.weight, best.weight);
    if (IsLess(best.weight, window.weight) || (as_much && window.whole >= best.whole)) {
      best = window;
    }
  }
  return best;
}

SnippetCutter::Window SnippetCutter::ChooseWithin(std::string_view text, const PassageUnit& unit,
                                                  const Cuts& cuts) {
  Window best;
  size_t best_kind = 0;
  std::array<size_t, 5> tried;
  tried.fill(text.npos);
  for (const Match& match : matches_) {
    if (match.start < unit.start || match.end > unit.end) continue;
    const size_t lead = match.start - std::min(match.start - unit.start, most_bytes_ / kLeadShare);
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
      const bool as_much = !IsLess(window.weight, best.weight) && best.weight > 0;
      const bool better = IsLess(best.weight, window.weight) || (as_much && kind < best_kind);
      if (!better) continue;
      best = window;
      best_kind = kind;
    }
  }
  return best.weight > 0 ? best : WindowFrom(text, cuts, unit.start);
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
  const std::vector<PassageUnit> units = UnitsForSnippets(chunk, is_code, most_bytes_);
  const Window window = Choose(text, units, FindCuts(text, units));
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
