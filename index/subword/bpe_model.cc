#include <unordered_map>

#include "index/base/text/utf8.h"
#include "index/subword/pair_merger.h"
#include "index/subword/subword_model.h"

namespace recall {
namespace {

// Byte-pair encoding (Gage, 1994; Sennrich, Haddow and Birch, "Neural machine translation of rare
// words with subword units", 2016). The model is a list of merges, pairs of tokens in the order in
// which training found them. A piece is encoded by replaying the merges:
//
//   merges: (l o) (lo w) (e r)
//   "lower" -> l o w e r -> lo w e r -> low e r -> low er
//
// At each step the adjacent pair with the lowest rank is merged, the leftmost of equal ones, until
// no adjacent pair is in the list. MergePairs (pair_merger.h) does this with a priority queue in
// O(n log n) for n characters instead of the O(n^2) of a rescan after each merge.
//
// Options of a tokenizer.json: a prefix of tokens that continue a word, a suffix of the last token
// of a word, tokens for single bytes ("<0x0A>") in place of unknown characters, and ignore_merges,
// which takes a piece that is a token as it is. Dropout is a method of training; a model that
// requests it is unsupported.
//
// Invariant: both sides and the result of each merge are tokens of the vocabulary; Make checks
// this.

uint64_t PairOf(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }

// Byte-pair encoding of pieces, which begins with the characters.
class BpeModel final : public SubwordModel {
 public:
  static SubwordModelResult Make(const Json& part, ModelTokens tokens) {
    auto model = std::make_unique<BpeModel>();
    const Json* dropout = FindField(part, "dropout");
    if (dropout != nullptr && !(dropout->is_number() && dropout->get<double>() == 0)) {
      return Fail(UnknownTokenizerKind("option", "dropout"));
    }
    RECALL_TRY(tokens.TakeVocabulary(ModelTokens::Shape::kNumbers, &model->vocabulary_));
    RECALL_ASSIGN(model->unknown_id_, ReadUnknownToken(part, model->vocabulary_));
    RECALL_ASSIGN(model->prefix_, ReadText(part, "continuing_subword_prefix", ""));
    RECALL_ASSIGN(model->suffix_, ReadText(part, "end_of_word_suffix", ""));
    RECALL_ASSIGN(model->fuse_unknown_, ReadFlag(part, "fuse_unk", false));
    RECALL_ASSIGN(model->ignore_merges_, ReadFlag(part, "ignore_merges", false));
    RECALL_ASSIGN(const bool byte_fallback, ReadFlag(part, "byte_fallback", false));
    if (byte_fallback) model->bytes_.emplace(model->vocabulary_);
    RECALL_TRY(model->ReadMerges(tokens));
    return model;
  }

  void Append(std::string_view piece, std::vector<uint32_t>* ids) const override {
    if (ignore_merges_) {
      if (const auto id = vocabulary_.Find(piece)) return ids->push_back(*id);
    }
    std::vector<uint32_t> characters;
    AppendCharacters(piece, &characters);
    MergeAll(characters, ids);
  }

 private:
  Status ReadMerges(const ModelTokens& tokens) {
    if (!tokens.has_merges || tokens.bad_merges) return BadTokenizerField("merges");
    merges_.reserve(tokens.merges.size());
    uint32_t rank = 0;
    std::string both;
    for (const auto& [left, right] : tokens.merges) {
      const auto left_id = vocabulary_.Find(left);
      const auto right_id = vocabulary_.Find(right);
      if (!left_id || !right_id || right.size() < prefix_.size()) {
        return BadTokenizerField("merges: an operand is not a token");
      }
      const auto id = vocabulary_.Find(both.assign(left).append(right.substr(prefix_.size())));
      if (!id) return BadTokenizerField("merges: a result is not a token");
      merges_[PairOf(*left_id, *right_id)] = {rank++, *id};
    }
    return Status::Ok();
  }

  void AppendCharacters(std::string_view piece, std::vector<uint32_t>* ids) const {
    bool unknown = false;  // an unknown token is pending; more may join it
    std::string name;
    for (size_t position = 0; position < piece.size();) {
      const size_t begin = position;
      DecodeUtf8(piece, &position);
      name.clear();
      if (begin > 0) name += prefix_;
      name.append(piece.substr(begin, position - begin));
      if (position == piece.size()) name += suffix_;
      if (const auto id = vocabulary_.Find(name)) {
        if (unknown) AppendUnknown(ids);
        unknown = false;
        ids->push_back(*id);
        continue;
      }
      if (bytes_ && bytes_->Append(name, ids)) continue;
      if (unknown && !fuse_unknown_) AppendUnknown(ids);
      unknown = true;
    }
    if (unknown) AppendUnknown(ids);
  }

  void MergeAll(const std::vector<uint32_t>& characters, std::vector<uint32_t>* ids) const {
    std::vector<PairSymbol> symbols;
    for (size_t i = 0; i < characters.size(); ++i) symbols.push_back({characters[i], i, i + 1});
    const auto find = [&](const PairSymbol& left, const PairSymbol& right) {
      const auto found = merges_.find(PairOf(left.id, right.id));
      return found == merges_.end() ? std::nullopt : std::optional(found->second);
    };
    MergePairs(symbols, find, ids);
  }

  std::unordered_map<uint64_t, PairMerge> merges_;
  std::optional<ByteTokens> bytes_;
  std::string prefix_;
  std::string suffix_;
  bool fuse_unknown_ = false;
  bool ignore_merges_ = false;
};

}  // namespace

SubwordModelResult MakeBpeModel(const Json& part, ModelTokens tokens) {
  return BpeModel::Make(part, std::move(tokens));
}

}  // namespace recall
