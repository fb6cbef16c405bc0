#include "index/subword/word_splitters.h"

#include <array>

#include "index/subword/character_class.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

enum Kind : uint8_t { kSpace, kWord, kOther };

using KindOf = Kind (*)(uint32_t);

Kind BertKind(uint32_t c) {
  if (IsWhiteSpace(c)) return kSpace;
  return IsSubwordPunctuation(c) ? kOther : kWord;
}

Kind WordKind(uint32_t c) {
  if (IsWhiteSpace(c)) return kSpace;
  return IsWordCharacter(c) ? kWord : kOther;
}

std::array<Kind, 128> KindsOfAscii(KindOf kind_of) {
  std::array<Kind, 128> kinds;
  for (uint32_t c = 0; c < kinds.size(); ++c) kinds[c] = kind_of(c);
  return kinds;
}

// Drops white space and cuts where the kind changes, and around each kOther if they stand alone.
void SplitByKind(KindOf kind_of, const std::array<Kind, 128>& ascii, bool others_alone,
                 PieceList* list) {
  const std::string_view text = list->text;
  for (const PieceList::Piece& piece : list->pieces) {
    size_t begin = piece.begin;
    Kind run = kSpace;
    for (size_t position = piece.begin; position < piece.end;) {
      const size_t at = position;
      const auto byte = static_cast<unsigned char>(text[at]);
      Kind kind;
      if (byte < 0x80) {
        kind = ascii[byte];
        ++position;
      } else {
        kind = kind_of(DecodeUtf8(text, &position));
      }
      if (kind == run && !(kind == kOther && others_alone)) continue;
      if (run != kSpace) list->Keep(piece, begin, at);
      begin = at;
      run = kind;
    }
    if (run != kSpace) list->Keep(piece, begin, piece.end);
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
  static const std::array<Kind, 128> ascii = KindsOfAscii(BertKind);
  SplitByKind(BertKind, ascii, true, list);
}

void WordSplitter::Split(PieceList* list) const {
  static const std::array<Kind, 128> ascii = KindsOfAscii(WordKind);
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
