#include <algorithm>
#include <limits>

#include "index/subword/subword_model.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

// Below the least likely token: what a character that is no token costs.
constexpr double kUnknownPenalty = 10;

// The best way to cut the text up to some place.
struct Path {
  static constexpr size_t kNone = ~size_t{0};
  double score = 0;
  size_t begin = kNone;  // of its last token
  uint32_t id = 0;
  bool known = false;
};

// SentencePiece's unigram model: of all ways to cut the piece into tokens the most likely one.
class UnigramModel final : public SubwordModel {
 public:
  static Result<std::unique_ptr<SubwordModel>> Make(const Json& part) {
    auto model = std::make_unique<UnigramModel>();
    RECALL_TRY(model->ReadTokens(part));
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
    const std::vector<Path> paths = FindPaths(piece);
    // Back from the end; unknown characters in a row are one token.
    std::vector<std::pair<size_t, size_t>> parts;
    bool known_before = true;
    for (size_t end = piece.size(); end > 0; end = paths[end].begin) {
      const bool known = IsKnown(paths[end]);
      if (known || known_before) {
        parts.emplace_back(paths[end].begin, end);
      } else {
        parts.back().first = paths[end].begin;
      }
      known_before = known;
    }
    for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
      const auto& [begin, end] = *it;
      AppendPart(piece.substr(begin, end - begin), ids);
    }
  }

 private:
  Status ReadTokens(const Json& part) {
    const Json* tokens = FindField(part, "vocab");
    if (tokens == nullptr || !tokens->is_array()) return BadTokenizerField("vocab");
    vocabulary_.Reserve(tokens->size(), 8 * tokens->size());
    for (const Json& token : *tokens) {
      if (!token.is_array() || token.size() != 2 || !token[0].is_string() ||
          !token[1].is_number()) {
        return BadTokenizerField("vocab: a token has no score");
      }
      vocabulary_.Add(token[0].get_ref<const std::string&>(),
                      static_cast<uint32_t>(scores_.size()));
      scores_.push_back(token[1].get<double>());
      least_score_ = std::min(least_score_, scores_.back());
    }
    return Status::Ok();
  }

  // The unknown token counts as unknown where the text spells it out, too.
  bool IsKnown(const Path& path) const { return path.known && path.id != unknown_id_; }

  // paths[end] for every place where a character ends.
  std::vector<Path> FindPaths(std::string_view piece) const {
    std::vector<Path> paths(piece.size() + 1);
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
    return paths;
  }

  void AppendPart(std::string_view part, std::vector<uint32_t>* ids) const {
    if (const auto id = vocabulary_.Find(part)) return ids->push_back(*id);
    if (bytes_ && bytes_->Append(part, ids)) return;
    AppendUnknown(ids);
  }

  std::vector<double> scores_;
  double least_score_ = std::numeric_limits<double>::infinity();
  std::optional<ByteTokens> bytes_;
};

}  // namespace

Result<std::unique_ptr<SubwordModel>> MakeUnigramModel(const Json& part) {
  return UnigramModel::Make(part);
}

}  // namespace recall
