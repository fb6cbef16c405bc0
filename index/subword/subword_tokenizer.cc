#include "index/subword/subword_tokenizer.h"

#include <algorithm>
#include <cstring>

#include "index/subword/rank_file.h"
#include "index/text/utf8.h"
#include "storage/base/check.h"

namespace recall {
namespace {

constexpr size_t kSlots = size_t{1} << 14;

uint64_t Mix(uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return value ^ value >> 32;
}

}  // namespace

Result<SubwordTokenizer> SubwordTokenizer::Parse(std::string_view json) {
  const Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return Fail(BadTokenizerField("file: it is no JSON object"));
  SubwordTokenizer made;
  if (const Json* part = FindField(root, "normalizer")) {
    RECALL_ASSIGN(made.normalizer_, MakeTextNormalizer(*part));
  }
  if (const Json* part = FindField(root, "pre_tokenizer")) {
    RECALL_ASSIGN(made.splitter_, MakePieceSplitter(*part));
  }
  const Json* model = FindField(root, "model");
  if (model == nullptr) return Fail(BadTokenizerField("file: it has no model"));
  RECALL_ASSIGN(made.model_, MakeSubwordModel(*model));
  RECALL_ASSIGN(made.added_, AddedTokens::Make(FindField(root, "added_tokens"),
                                               made.model_->vocabulary(), made.normalizer_.get()));
  made.id_limit_ = std::max(made.model_->vocabulary().max_id(), made.added_.max_id()) + 1;
  return made;
}

Result<SubwordTokenizer> SubwordTokenizer::ParseRanks(std::string_view file) {
  SubwordTokenizer made;
  RECALL_ASSIGN(made.model_, MakeRankModel(file));
  made.splitter_ = MakeRankSplitter(RankPatternOf(made.vocabulary_size()));
  made.id_limit_ = made.model_->vocabulary().max_id() + 1;
  return made;
}

SubwordEncoder::SubwordEncoder(const SubwordTokenizer& tokenizer)
    : tokenizer_(tokenizer), slots_(static_cast<Slot*>(std::calloc(kSlots, sizeof(Slot)))) {
  RECALL_CHECK(slots_ != nullptr);
}

void SubwordEncoder::Encode(std::string_view text, std::vector<uint32_t>* ids) {
  ids->clear();
  if (!IsValidUtf8(text)) {
    repaired_.clear();
    AppendRepairedUtf8(text, &repaired_);
    text = repaired_;
  }
  raw_parts_.clear();
  tokenizer_.added_.SplitRaw(text, &raw_parts_);
  for (const AddedTokens::Part& part : raw_parts_) {
    if (part.is_token) {
      ids->push_back(part.id);
    } else {
      EncodeRaw(part.text, part.text.data() == text.data(), ids);
    }
  }
}

void SubwordEncoder::EncodeRaw(std::string_view text, bool at_start, std::vector<uint32_t>* ids) {
  if (tokenizer_.normalizer_ != nullptr) {
    normal_.clear();
    tokenizer_.normalizer_->Append(text, &normal_);
    text = normal_;
  }
  normal_parts_.clear();
  tokenizer_.added_.SplitNormal(text, &normal_parts_);
  for (const AddedTokens::Part& part : normal_parts_) {
    if (part.is_token) {
      ids->push_back(part.id);
    } else {
      EncodeNormal(part.text, at_start && part.text.data() == text.data(), ids);
    }
  }
}

void SubwordEncoder::EncodeNormal(std::string_view text, bool at_start,
                                  std::vector<uint32_t>* ids) {
  pieces_.text = text;
  pieces_.pieces.assign({{0, text.size(), at_start}});
  if (tokenizer_.splitter_ != nullptr) tokenizer_.splitter_->Split(&pieces_);
  for (const PieceList::Piece& piece : pieces_.pieces) AppendPiece(pieces_.view(piece), ids);
}

// A model needs some 30 bytes for each byte of a piece, so pieces that no word fills are cut.
void SubwordEncoder::AppendLongPiece(std::string_view piece, std::vector<uint32_t>* ids) {
  constexpr size_t kMostBytes = size_t{64} << 10;
  while (piece.size() > kMostBytes) {
    const size_t end = FloorToCharacter(piece, kMostBytes);
    tokenizer_.model_->Append(piece.substr(0, end), ids);
    piece.remove_prefix(end);
  }
  tokenizer_.model_->Append(piece, ids);
}

void SubwordEncoder::AppendPiece(std::string_view piece, std::vector<uint32_t>* ids) {
  if (piece.size() > kMostKeyBytes) return AppendLongPiece(piece, ids);
  uint64_t key[kMostKeyBytes / sizeof(uint64_t)] = {};
  std::memcpy(key, piece.data(), piece.size());
  const uint64_t hash = Mix(key[0] ^ Mix(key[1] ^ Mix(key[2] ^ Mix(key[3] ^ piece.size()))));
  Slot& slot = slots_[hash % kSlots];
  if (slot.size == piece.size() && std::memcmp(slot.key, key, sizeof(key)) == 0) {
    ids->insert(ids->end(), slot.ids, slot.ids + slot.count);
    return;
  }
  const size_t before = ids->size();
  tokenizer_.model_->Append(piece, ids);
  const size_t count = ids->size() - before;
  if (count > kMostIds) return;
  std::memcpy(slot.key, key, sizeof(key));
  slot.size = static_cast<uint32_t>(piece.size());
  slot.count = static_cast<uint32_t>(count);
  std::copy_n(ids->begin() + static_cast<ptrdiff_t>(before), count, slot.ids);
}

}  // namespace recall
