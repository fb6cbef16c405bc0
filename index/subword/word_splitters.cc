#include "index/subword/word_splitters.h"

#include <array>

#include "index/base/text/utf8.h"
#include "index/subword/character_class.h"

namespace recall {
namespace {

enum SplitKind : uint8_t { kSpaceSplit, kWordSplit, kOtherSplit };

using SplitKindOf = SplitKind (*)(uint32_t);

SplitKind BertKind(uint32_t c) {
  if (IsWhiteSpace(c)) return kSpaceSplit;
  return IsSubwordPunctuation(c) ? kOtherSplit : kWordSplit;
}

SplitKind WordKind(uint32_t c) {
  if (IsWhiteSpace(c)) return kSpaceSplit;
  return IsWordCharacter(c) ? kWordSplit : kOtherSplit;
}

std::array<SplitKind, 128> KindsOfAscii(SplitKindOf kind_of) {
  std::array<SplitKind, 128> kinds;
  for (uint32_t c = 0; c < kinds.size(); ++c) kinds[c] = kind_of(c);
  return kinds;
}

// Drops white space and cuts where the kind changes; with `others_alone` also around each
// kOtherSplit.
void SplitByKind(SplitKindOf kind_of, const std::array<SplitKind, 128>& ascii, bool others_alone,
                 PieceList* list) {
  const std::string_view text = list->text;
  for (const PieceList::Piece& piece : list->pieces) {
    size_t begin = piece.begin;
    SplitKind run = kSpaceSplit;
    for (size_t position = piece.begin; position < piece.end;) {
      const size_t at = position;
      const auto byte = static_cast<unsigned char>(text[at]);
      SplitKind kind;
      if (byte < 0x80) {
        kind = ascii[byte];
        ++position;
      } else {
        kind = kind_of(DecodeUtf8(text, &position));
      }
      if (kind == run && !(kind == kOtherSplit && others_alone)) continue;
      if (run != kSpaceSplit) list->Keep(piece, begin, at);
      begin = at;
      run = kind;
    }
    if (run != kSpaceSplit) list->Keep(piece, begin, piece.end);
  }
  list->TakeOtherPieces();
}

void KeepStretches(const PieceList::Piece& piece, SplitBehavior behavior,
                   std::vector<Stretch>* stretches, PieceList* list) {
  ApplySplitBehavior(behavior, stretches);
  for (const Stretch& stretch : *stretches) list->Keep(piece, stretch.begin, stretch.end);
  stretches->clear();
}

}  // namespace

void BertSplitter::Split(PieceList* list) const {
  static const std::array<SplitKind, 128> ascii = KindsOfAscii(BertKind);
  SplitByKind(BertKind, ascii, true, list);
}

void WordSplitter::Split(PieceList* list) const {
  static const std::array<SplitKind, 128> ascii = KindsOfAscii(WordKind);
  SplitByKind(WordKind, ascii, false, list);
}

void ClassSplitter::Split(PieceList* list) const {
  const std::string_view text = list->text;
  std::vector<Stretch> stretches;
  for (const PieceList::Piece& piece : list->pieces) {
    size_t begin = piece.begin;
    for (size_t position = piece.begin; position < piece.end;) {
      const size_t at = position;
      if (!matches_(DecodeUtf8(text, &position))) continue;
      if (begin < at) stretches.push_back({begin, at, false});
      stretches.push_back({at, position, true});
      begin = position;
    }
    if (begin < piece.end) stretches.push_back({begin, piece.end, false});
    KeepStretches(piece, behavior_, &stretches, list);
  }
  list->TakeOtherPieces();
}

void PatternSplitter::Split(PieceList* list) const {
  std::vector<Stretch> stretches;
  TextPattern::Matches matches;
  for (const PieceList::Piece& piece : list->pieces) {
    pattern_.FindAll(list->view(piece), &matches);
    size_t begin = piece.begin;
    for (const auto& [from, to] : matches) {
      if (begin < piece.begin + from) stretches.push_back({begin, piece.begin + from, invert_});
      stretches.push_back({piece.begin + from, piece.begin + to, !invert_});
      begin = piece.begin + to;
    }
    if (begin < piece.end) stretches.push_back({begin, piece.end, invert_});
    KeepStretches(piece, behavior_, &stretches, list);
  }
  list->TakeOtherPieces();
}

}  // namespace recall
