// Finds the lines of a text that match a pattern.
//
// Most lines do not match, so they are not taken apart. The text is searched as a whole for the
// literal that every match contains, or else for the regular expression. The line around what was
// found is then matched alone, which decides, and the search goes on behind it.
//
// Invariants: the lines and matches are those of matching each line alone; no match contains a
// newline.
//
// Cost: memmem over the text where a literal is known (some GB/s), else the automaton of RE2 (some
// 100 MB/s).

#include "index/search/lines/line_pattern.h"

#include <re2/re2.h>
#include <string.h>

#include <algorithm>
#include <utility>

#include "index/search/filter/regexp_literal.h"

namespace recall {
namespace {

constexpr int64_t kMostPatternMemory = 8 << 20;
constexpr size_t kNowhere = std::string_view::npos;

re2::StringPiece AsPiece(std::string_view text) { return {text.data(), text.size()}; }

size_t FindBytes(std::string_view text, std::string_view bytes, size_t from) {
  const void* found = memmem(text.data() + from, text.size() - from, bytes.data(), bytes.size());
  if (found == nullptr) return kNowhere;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

TextRange LineAround(std::string_view text, size_t at) {
  const size_t newline = at == 0 ? kNowhere : text.rfind('\n', at - 1);
  const size_t begin = newline == kNowhere ? 0 : newline + 1;
  return {begin, std::min(text.find('\n', at), text.size())};
}

std::string ExpressionOf(std::string_view pattern, const LinePatternOptions& options) {
  std::string expression =
      options.is_literal ? re2::RE2::QuoteMeta(AsPiece(pattern)) : std::string(pattern);
  if (options.whole_words) expression = "\\b(?:" + expression + ")\\b";
  return std::string(options.ignore_case ? "(?im)" : "(?m)") + "(?:" + expression + ")";
}

Status CheckLiteral(std::string_view pattern) {
  if (pattern.empty()) {
    return Status::InvalidArgument("the pattern is empty", "name what the lines contain");
  }
  if (pattern.find('\n') == kNowhere) return Status::Ok();
  return Status::InvalidArgument("the pattern has a newline, but lines are matched one by one",
                                 "search for a part that lies within one line");
}

}  // namespace

Result<LinePattern> LinePattern::Compile(std::string_view pattern,
                                         const LinePatternOptions& options) {
  RECALL_TRY(CheckLiteral(pattern));
  LinePattern compiled;
  if (!options.ignore_case) {
    compiled.literal_ = options.is_literal ? std::string(pattern) : RequiredLiteral(pattern);
    const bool is_plain = compiled.literal_ == pattern && !options.whole_words;
    if (is_plain) {
      compiled.grams_ = std::make_shared<const GramFilter>(GramFilter::OfLiteral(pattern));
      return compiled;
    }
  }
  re2::RE2::Options re2_options;
  re2_options.set_log_errors(false);
  re2_options.set_max_mem(kMostPatternMemory);
  re2_options.set_never_nl(true);
  // The pattern alone first, because errors quote it, and because "a)(b" is none.
  const re2::RE2 given(
      options.is_literal ? re2::RE2::QuoteMeta(AsPiece(pattern)) : std::string(pattern),
      re2_options);
  auto regexp = std::make_shared<const re2::RE2>(ExpressionOf(pattern, options), re2_options);
  if (!given.ok() || !regexp->ok()) {
    return Fail(Status::InvalidArgument(
        "the regular expression cannot be read: " + (given.ok() ? regexp->error() : given.error()),
        "the syntax is RE2's; --fixed-strings takes the pattern as a text"));
  }
  // Flags of a group can ignore the case, too.
  const bool may_ignore_case = options.ignore_case || pattern.find("(?") != kNowhere;
  compiled.grams_ = std::make_shared<const GramFilter>(
      GramFilter::OfExpression(ExpressionOf(pattern, options), may_ignore_case));
  compiled.regexp_ = std::move(regexp);
  return compiled;
}

// Returns: a place in the next line that may match, at or behind `from`.
size_t LinePattern::FindCandidate(std::string_view text, size_t from) const {
  if (!literal_.empty()) return FindBytes(text, literal_, from);
  re2::StringPiece match;
  const bool found =
      regexp_->Match(AsPiece(text), from, text.size(), re2::RE2::UNANCHORED, &match, 1);
  return found ? static_cast<size_t>(match.data() - text.data()) : kNowhere;
}

std::vector<TextRange> LinePattern::MatchesIn(std::string_view text, TextRange line) const {
  std::vector<TextRange> matches;
  const std::string_view bytes = text.substr(line.begin, line.end - line.begin);
  for (size_t from = 0; from <= bytes.size();) {
    size_t begin = kNowhere;
    size_t size = literal_.size();
    if (regexp_ == nullptr) {
      begin = FindBytes(bytes, literal_, from);
    } else if (re2::StringPiece match; regexp_->Match(AsPiece(bytes), from, bytes.size(),
                                                      re2::RE2::UNANCHORED, &match, 1)) {
      begin = static_cast<size_t>(match.data() - bytes.data());
      size = match.size();
    }
    if (begin == kNowhere) break;
    matches.push_back({line.begin + begin, line.begin + begin + size});
    from = begin + std::max<size_t>(size, 1);
  }
  return matches;
}

void LinePattern::ForEachLine(std::string_view text,
                              const std::function<bool(MatchedLine&&)>& visit) const {
  uint32_t number = 1;
  size_t counted = 0;  // newlines before it are part of `number`
  for (size_t from = 0; from < text.size();) {
    const size_t candidate = FindCandidate(text, from);
    // A match of nothing behind the last newline is in no line.
    if (candidate == kNowhere || candidate >= text.size()) return;
    MatchedLine found;
    found.line = LineAround(text, candidate);
    from = found.line.end + 1;
    found.matches = MatchesIn(text, found.line);
    if (found.matches.empty()) continue;
    number += static_cast<uint32_t>(
        std::count(text.begin() + static_cast<ptrdiff_t>(counted),
                   text.begin() + static_cast<ptrdiff_t>(found.line.begin), '\n'));
    counted = found.line.begin;
    found.number = number;
    if (!visit(std::move(found))) return;
  }
}

}  // namespace recall
