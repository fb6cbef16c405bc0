#include "index/base/text/token_places.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "index/base/text/ascii_segment.h"
#include "index/base/text/further_names.h"
#include "index/base/text/identifier_parts.h"
#include "index/base/text/names.h"
#include "index/base/text/utf8.h"
#include "index/base/text/word_variants.h"

namespace recall {
namespace {

// Whether each character of the folded run has the size of the one at its place in the segment.
bool IsUnchanged(std::u32string_view folded, std::span<const size_t> offsets,
                 const SegmentAnalyzer::Run& run) {
  if (run.from_end - run.from_begin != folded.size()) return false;
  std::string bytes;
  for (size_t i = 0; i < folded.size(); ++i) {
    AppendUtf8(folded[i], &bytes);
    if (bytes.size() != offsets[i + 1] - offsets[0]) return false;
  }
  return true;
}

}  // namespace

void TokenPlacer::StemOnly(std::string_view first_letters) {
  is_stemmed_.reset();
  for (const char letter : first_letters) is_stemmed_.set(static_cast<uint8_t>(letter));
}

void TokenPlacer::Find(std::string_view text) {
  for (Tokens* tokens : {&body_, &compound_}) {
    tokens->words.clear();
    tokens->places.clear();
  }
  body_text_.clear();
  compound_text_.clear();
  NameFinder names(text);
  FurtherNameFinder further(text);
  const auto find_name = [&](size_t begin, size_t end) {
    if (version_ < 2) return;
    const std::string_view name = names.Add(begin, end);
    if (!name.empty()) TakeName(name, static_cast<size_t>(name.data() - text.data()));
    if (version_ < 3) return;
    const std::string_view other = further.Add(begin, end);
    if (!other.empty()) TakeName(other, static_cast<size_t>(other.data() - text.data()));
  };
  for (size_t at = 0; at < text.size();) {
    const AsciiSegment ascii(text, at);
    if (!ascii.IsAscii()) {
      const size_t before = at;
      const std::string_view segment = NextSegment(text, &at);
      if (segment.empty()) {
        TakeSymbols(text, before, at);
        continue;
      }
      const auto start = static_cast<size_t>(segment.data() - text.data());
      TakeSymbols(text, before, start);
      Take(segment, start);
      if (IsSegmentOfWords(segment)) find_name(start, start + segment.size());
      continue;
    }
    if (!ascii.IsSeparator()) {
      TakeAscii(text.substr(at, ascii.end() - at), at, ascii.IsOneWord());
      find_name(at, ascii.end());
    }
    at = ascii.end();
  }
  // Views are made last, because the texts were growing.
  Finish(&body_, body_text_);
  Finish(&compound_, compound_text_);
}

void TokenPlacer::TakeName(std::string_view name, size_t start) {
  const size_t token = compound_text_.size();
  if (version_ < 3 || !AppendFurtherToken(name, &compound_text_)) {
    AppendNameToken(name, analyzer_, &compound_text_);
  }
  if (compound_text_.size() == token) return;
  compound_text_ += ' ';
  compound_.places.push_back({start, start + name.size()});
}

// The same as Take for ASCII, where a byte is a character and every part is a word.
void TokenPlacer::TakeAscii(std::string_view segment, size_t start, bool one_word) {
  if (version_ >= 3 && segment.find_first_of("0123456789") != segment.npos) {
    ForEachAsciiPart(segment, [&](std::string_view part) {
      const size_t begin = start + static_cast<size_t>(part.data() - segment.data());
      TakeNumberedParts(part.substr(0, kMaxTokenBytes), begin, begin + part.size());
    });
  }
  if (one_word) return TakeAsciiPart(segment, start);
  const size_t places = body_.places.size();
  const size_t whole = compound_text_.size();
  ForEachAsciiPart(segment, [&](std::string_view part) {
    TakeAsciiPart(part, start + static_cast<size_t>(part.data() - segment.data()));
    for (const char letter : part) compound_text_ += ToAsciiLower(letter);
  });
  if (body_.places.size() - places < 2) return compound_text_.resize(whole);
  compound_text_.resize(std::min(compound_text_.size(), whole + kMaxTokenBytes));
  StemFrom(whole, &compound_text_);
  compound_text_ += ' ';
  compound_.places.push_back({start, start + segment.size()});
}

void TokenPlacer::TakeAsciiPart(std::string_view part, size_t start) {
  const size_t token = body_text_.size();
  for (const char letter : part.substr(0, kMaxTokenBytes)) body_text_ += ToAsciiLower(letter);
  if (is_stemmed_[static_cast<uint8_t>(body_text_[token])]) StemFrom(token, &body_text_);
  body_text_ += ' ';
  body_.places.push_back({start, start + part.size()});
}

void TokenPlacer::TakeNumberedParts(std::string_view word, size_t start, size_t end) {
  ForEachNumberedPart(DivideAtNumber(word), [&](std::string_view part) {
    const size_t token = compound_text_.size();
    for (const char letter : part) compound_text_ += ToAsciiLower(letter);
    StemFrom(token, &compound_text_);
    compound_text_ += ' ';
    compound_.places.push_back({start, end});
  });
}

void TokenPlacer::Take(std::string_view segment, size_t start) {
  analyzer_.Analyze(segment);
  offsets_.clear();
  for (size_t at = 0; at < segment.size(); DecodeUtf8(segment, &at)) offsets_.push_back(at);
  offsets_.push_back(segment.size());
  for (const SegmentAnalyzer::Run& run : analyzer_.runs()) {
    TakeRun(run, start);
    if (version_ >= 3 && run.kind == CharacterKind::kWord) TakeVariants(run, start);
  }
  if (!analyzer_.identifier()) return;
  analyzer_.AppendWhole(&compound_text_);
  compound_text_ += ' ';
  compound_.places.push_back({start, start + segment.size()});
}

void TokenPlacer::TakeRun(const SegmentAnalyzer::Run& run, size_t start) {
  const size_t tokens = analyzer_.AppendTokens(run, &body_text_);
  body_text_ += ' ';
  const size_t characters = run.from_end - run.from_begin;
  const bool pairs = tokens > 1 && characters == run.end - run.begin;
  for (size_t i = 0; i < tokens; ++i) {
    const size_t first = run.from_begin + (pairs ? i : 0);
    const size_t end = pairs ? first + 2 : run.from_end;
    body_.places.push_back({start + offsets_[first], start + offsets_[end]});
  }
}

void TokenPlacer::TakeCompound(std::string_view token, size_t start, size_t end) {
  compound_text_ += token;
  compound_text_ += ' ';
  compound_.places.push_back({start, end});
}

void TokenPlacer::TakeVariants(const SegmentAnalyzer::Run& run, size_t start) {
  const std::u32string_view folded = analyzer_.Folded(run);
  const auto place = [&](size_t character) { return start + offsets_[character]; };
  std::string stem;
  analyzer_.AppendTokens(run, &stem);
  std::vector<std::string> variants;
  AddVariants({analyzer_.Raw(run), folded}, stem, VariantUse::kIndex, &variants);
  for (const std::string& variant : variants) {
    TakeCompound(variant, place(run.from_begin), place(run.from_end));
  }
  const bool exact = IsUnchanged(folded, std::span(offsets_).subspan(run.from_begin), run);
  for (const WordPiece& piece : HangulPieces(folded)) {
    const size_t first = exact ? run.from_begin + piece.begin : run.from_begin;
    const size_t end = exact ? run.from_begin + piece.end : run.from_end;
    TakeCompound(piece.token, place(first), place(end));
  }
  if (!IsAscii(analyzer_.Raw(run))) return;
  std::string surface;
  analyzer_.AppendSurface(run, &surface);
  TakeNumberedParts(surface, place(run.from_begin), place(run.from_end));
}

void TokenPlacer::TakeSymbols(std::string_view text, size_t begin, size_t end) {
  if (version_ < 3) return;
  for (;;) {
    const std::string_view symbol = NextSymbol(text, end, &begin);
    if (symbol.empty()) return;
    TakeName(symbol, static_cast<size_t>(symbol.data() - text.data()));
  }
}

void TokenPlacer::Finish(Tokens* tokens, std::string_view spaced) const {
  tokens->words.reserve(tokens->places.size());
  for (size_t end; !spaced.empty(); spaced.remove_prefix(end + 1)) {
    end = spaced.find(' ');
    tokens->words.push_back(spaced.substr(0, end));
  }
}

}  // namespace recall
