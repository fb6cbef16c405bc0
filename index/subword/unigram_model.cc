#include <algorithm>
#include <limits>

#include "index/base/text/utf8.h"
#include "index/subword/subword_model.h"

namespace recall {
namespace {

// The unigram language model of SentencePiece (Kudo, "Subword regularization", 2018). Each token
// has a log probability, its score. A piece is cut into the sequence of tokens with the largest sum
// of scores, found by the Viterbi algorithm over the positions of the piece:
//
//   paths[end] = the best way to cut piece[0, end): its score, and where its last token begins
//
//   position   0   1   2   3   4   5
//   "hello"      h   e   l   l   o
//              |--- hell ----|-o-|        paths[5] = {score(hell) + score(o), begin 4}
//              |-- he --|-- llo --|
//
// For each position all tokens that begin there are enumerated in one pass (ForEachPrefix); each
// may improve paths[position + size]. The best sequence is read backwards from the end.
//
// A character that is not a token costs the lowest score of the vocabulary minus 10, so unknown
// characters are used only where no token fits. Adjacent unknown characters become one unknown
// token, or their bytes if the model has byte fallback.
//
// Of equal scores the first path found is kept. Cost: O(n * longest token), bounded by 1,024 bytes
// per token; pieces of up to 40 bytes need no allocation.

// The score of an unknown character is this much below that of the least likely token.
constexpr double kUnknownPenalty = 10;

// The best way to cut the text up to a position.
struct Path {
  static constexpr size_t kNone = ~size_t{0};
  double score = 0;
  size_t begin = kNone;  // of its last token
  uint32_t id = 0;
  bool known = false;
};

// A part of a cut piece: a token, or text without a token.
struct Part {
  size_t begin;
  size_t end;
  uint32_t id;  // if known
  bool known;
};

// SentencePiece's unigram model: the most likely of all ways to cut the piece into tokens.
class UnigramModel final : public SubwordModel {
 public:
  static SubwordModelResult Make(const Json& part, ModelTokens tokens) {
    auto model = std::make_unique<UnigramModel>();
    RECALL_TRY(tokens.TakeVocabulary(ModelTokens::Shape::kScores, &model->vocabulary_));
    model->scores_ = std::move(tokens.scores);
    for (const double score : model->scores_) {
      model->least_score_ = std::min(model->least_score_, score);
    }
    if (FindField(part, "unk_id") != nullptr) {
      RECALL_ASSIGN(const uint32_t unknown, ReadCount(part, "unk_id", 0));
      if (unknown >= model->scores_.size()) return Fail(BadTokenizerField("unk_id"));
      model->unknown_id_ = unknown;
    }
    RECALL_ASSIGN(const bool byte_fallback, ReadFlag(part, "byte_fallback", false));
    if (byte_fallback) model->bytes_.emplace(model->vocabulary_);
    return model;
  }

  void Append(std::string_view piece, std::vector<uint32_t>* ids) const override {
    // Most pieces are words, which need no allocation.
    constexpr size_t kShort = 40;
    if (piece.size() <= kShort) {
      Path paths[kShort + 1];
      Part parts[kShort];
      return AppendBest(piece, paths, parts, ids);
    }
    std::vector<Path> paths(piece.size() + 1);
    std::vector<Part> parts(piece.size());
    AppendBest(piece, paths.data(), parts.data(), ids);
  }

 private:
  // Requires: room for piece.size() + 1 paths and piece.size() parts.
  void AppendBest(std::string_view piece, Path* paths, Part* parts,
                  std::vector<uint32_t>* ids) const {
    FindPaths(piece, paths);
    // Read the best path backwards; adjacent unknown characters are one token.
    size_t count = 0;
    bool known_before = true;
    for (size_t end = piece.size(); end > 0; end = paths[end].begin) {
      const Path& path = paths[end];
      const bool known = IsKnown(path);
      if (known || known_before) {
        parts[count++] = {path.begin, end, path.id, known};
      } else {
        parts[count - 1].begin = path.begin;
      }
      known_before = known;
    }
    while (count > 0) {
      const Part& part = parts[--count];
      if (part.known) {
        ids->push_back(part.id);
      } else {
        AppendUnknownPart(piece.substr(part.begin, part.end - part.begin), ids);
      }
    }
  }

  // The unknown token is treated as unknown even where the text contains its spelling.
  bool IsKnown(const Path& path) const { return path.known && path.id != unknown_id_; }

  // Computes paths[end] for every end of a character.
  void FindPaths(std::string_view piece, Path* paths) const {
    const auto offer = [&](size_t begin, size_t end, double score, uint32_t id, bool known) {
      Path& path = paths[end];
      const double total = paths[begin].score + score;
      if (path.begin == Path::kNone || total > path.score) path = {total, begin, id, known};
    };
    for (size_t begin = 0; begin < piece.size();) {
      size_t next = begin;
      DecodeUtf8(piece, &next);
      const size_t character = next - begin;
      bool alone = false;  // the character is a token by itself
      vocabulary_.ForEachPrefix(piece.substr(begin), [&](size_t size, uint32_t id) {
        offer(begin, begin + size, scores_[id], id, true);
        alone = alone || size == character;
      });
      if (!alone) {
        offer(begin, next, least_score_ - kUnknownPenalty, unknown_id_.value_or(0), false);
      }
      begin = next;
    }
  }

  // Several unknown characters may together be a token that no path contains.
  void AppendUnknownPart(std::string_view part, std::vector<uint32_t>* ids) const {
    if (const auto id = vocabulary_.Find(part)) return ids->push_back(*id);
    if (bytes_ && bytes_->Append(part, ids)) return;
    AppendUnknown(ids);
  }

  std::vector<double> scores_;
  double least_score_ = std::numeric_limits<double>::infinity();
  std::optional<ByteTokens> bytes_;
};

}  // namespace

SubwordModelResult MakeUnigramModel(const Json& part, ModelTokens tokens) {
  return UnigramModel::Make(part, std::move(tokens));
}

}  // namespace recall
