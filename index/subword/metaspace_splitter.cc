#include "index/subword/metaspace_splitter.h"

#include <algorithm>

#include "index/base/text/utf8.h"

namespace recall {

void MetaspaceSplitter::Rewrite(PieceList* list) const {
  for (const PieceList::Piece& piece : list->pieces) {
    const size_t begin = list->other_text.size();
    const std::string_view view = list->view(piece);
    const bool wanted =
        prepend_ == Prepend::kAlways || (prepend_ == Prepend::kFirst && piece.at_start);
    if (wanted && view[0] != ' ' && !view.starts_with(replacement_)) {
      list->other_text += replacement_;
    }
    for (size_t position = 0; position < view.size();) {
      const size_t space = std::min(view.find(' ', position), view.size());
      list->other_text.append(view.substr(position, space - position));
      if (space < view.size()) list->other_text += replacement_;
      position = space + 1;
    }
    list->other_pieces.push_back({begin, list->other_text.size(), piece.at_start});
  }
  list->TakeOtherText();
  list->TakeOtherPieces();
}

void MetaspaceSplitter::Split(PieceList* list) const {
  Rewrite(list);
  if (!split_) return;
  const std::string_view text = list->text;
  for (const PieceList::Piece& piece : list->pieces) {
    size_t begin = piece.begin;
    while (begin < piece.end) {
      // A word ends before the next mark. In a row of marks each is a piece, but the last belongs
      // to a word.
      const size_t end = std::min(text.find(replacement_, begin + 1), piece.end);
      list->Keep(piece, begin, end);
      begin = end;
    }
  }
  list->TakeOtherPieces();
}

Result<std::unique_ptr<PieceSplitter>> MakeMetaspaceSplitter(const Json& part) {
  RECALL_ASSIGN(const std::string replacement, ReadText(part, "replacement", "\u2581"));
  size_t end = 0;
  if (!replacement.empty()) DecodeUtf8(replacement, &end);
  if (replacement.empty() || end != replacement.size()) {
    return Fail(BadTokenizerField("replacement"));
  }
  RECALL_ASSIGN(const bool add_prefix_space, ReadFlag(part, "add_prefix_space", true));
  RECALL_ASSIGN(const std::string scheme,
                ReadText(part, "prepend_scheme", add_prefix_space ? "always" : "never"));
  RECALL_ASSIGN(const bool split, ReadFlag(part, "split", true));
  MetaspaceSplitter::Prepend prepend;
  if (scheme == "always") {
    prepend = MetaspaceSplitter::Prepend::kAlways;
  } else if (scheme == "first") {
    prepend = MetaspaceSplitter::Prepend::kFirst;
  } else if (scheme == "never") {
    prepend = MetaspaceSplitter::Prepend::kNever;
  } else {
    return Fail(UnknownTokenizerKind("prepend_scheme", scheme));
  }
  return std::make_unique<MetaspaceSplitter>(replacement, prepend, split);
}

}  // namespace recall
