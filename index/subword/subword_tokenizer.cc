#include "index/subword/subword_tokenizer.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/subword/normalizer_factory.h"
#include "index/subword/rank_file.h"
#include "index/subword/splitter_factory.h"
#include "index/subword/tokenizer_file.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

constexpr size_t kPieceSlots = size_t{1} << 14;

uint64_t MixPiece(uint64_t value) {
  value *= 0x9e3779b97f4a7c15;
  return value ^ value >> 32;
}

// Loads the `size` bytes at `from`, 1 to 8, padded with zeros, without a call of memcpy.
uint64_t LoadPadded(const uint8_t* from, size_t size) {
  if (size == sizeof(uint64_t)) return LoadLittle<uint64_t>(from);
  if (size >= sizeof(uint32_t)) {
    const size_t last = size - sizeof(uint32_t);  // the two loads overlap with equal bytes
    return LoadLittle<uint32_t>(from) | uint64_t{LoadLittle<uint32_t>(from + last)} << (8 * last);
  }
  const auto byte = [from](size_t i) { return uint64_t{from[i]}; };
  return byte(0) | byte(size / 2) << (8 * (size / 2)) | byte(size - 1) << (8 * (size - 1));
}

}  // namespace

Result<SubwordTokenizer> SubwordTokenizer::Parse(std::string_view json) {
  RECALL_ASSIGN(TokenizerFile file, TokenizerFile::Parse(json));
  const Json& root = file.root;
  SubwordTokenizer made;
  if (const Json* part = FindField(root, "normalizer")) {
    RECALL_ASSIGN(made.normalizer_, MakeTextNormalizer(*part));
  }
  if (const Json* part = FindField(root, "pre_tokenizer")) {
    RECALL_ASSIGN(made.splitter_, MakePieceSplitter(*part));
  }
  const Json* model = FindField(root, "model");
  if (model == nullptr) return Fail(BadTokenizerField("file: it has no model"));
  RECALL_ASSIGN(made.model_, MakeSubwordModel(*model, std::move(file.tokens)));
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
    : tokenizer_(tokenizer), memory_(std::calloc(kPieceSlots + 1, sizeof(Slot))) {
  if (memory_ == nullptr) throw std::bad_alloc();
  const size_t misplaced = reinterpret_cast<uintptr_t>(memory_.get()) % sizeof(Slot);
  slots_ = reinterpret_cast<Slot*>(static_cast<char*>(memory_.get()) + sizeof(Slot) - misplaced);
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
  // Cached pieces are scattered in memory, so the slots of several pieces are prefetched before
  // they are used.
  constexpr size_t kAhead = 16;
  Key keys[kAhead];
  for (size_t first = 0; first < pieces_.pieces.size(); first += kAhead) {
    const size_t count = std::min(kAhead, pieces_.pieces.size() - first);
    for (size_t i = 0; i < count; ++i) keys[i] = KeyOf(pieces_.view(pieces_.pieces[first + i]));
    for (size_t i = 0; i < count; ++i) {
      AppendPiece(pieces_.view(pieces_.pieces[first + i]), keys[i], ids);
    }
  }
}

SubwordEncoder::Key SubwordEncoder::KeyOf(std::string_view piece) const {
  Key key = {};
  if (piece.empty() || piece.size() > kMostKeyBytes) return key;
  const uint8_t* bytes = AsBytes(piece).data();
  for (size_t word = 0, done = 0; done < piece.size(); ++word, done += sizeof(uint64_t)) {
    key.words[word] = LoadPadded(bytes + done, std::min(sizeof(uint64_t), piece.size() - done));
  }
  const auto& [a, b, c, d] = key.words;
  key.slot =
      slots_ + MixPiece(a ^ MixPiece(b ^ MixPiece(c ^ MixPiece(d ^ piece.size())))) % kPieceSlots;
  __builtin_prefetch(key.slot, 1);
  return key;
}

// A model needs about 30 bytes per byte of a piece, so pieces longer than any word are cut.
void SubwordEncoder::AppendLongPiece(std::string_view piece, std::vector<uint32_t>* ids) {
  constexpr size_t kMostBytes = size_t{64} << 10;
  while (piece.size() > kMostBytes) {
    const size_t end = FloorToCharacter(piece, kMostBytes);
    tokenizer_.model_->Append(piece.substr(0, end), ids);
    piece.remove_prefix(end);
  }
  tokenizer_.model_->Append(piece, ids);
}

void SubwordEncoder::AppendPiece(std::string_view piece, const Key& key,
                                 std::vector<uint32_t>* ids) {
  if (key.slot == nullptr) return AppendLongPiece(piece, ids);
  Slot& slot = *key.slot;
  uint64_t differs = 0;
  for (size_t i = 0; i < kKeyWords; ++i) differs |= slot.key[i] ^ key.words[i];
  if (slot.size == piece.size() && differs == 0) {
    ids->insert(ids->end(), slot.ids, slot.ids + slot.count);
    return;
  }
  const size_t before = ids->size();
  tokenizer_.model_->Append(piece, ids);
  const size_t count = ids->size() - before;
  if (count > kMostIds) return;
  std::ranges::copy(key.words, slot.key);
  slot.size = static_cast<uint32_t>(piece.size());
  slot.count = static_cast<uint32_t>(count);
  std::copy_n(ids->begin() + static_cast<ptrdiff_t>(before), count, slot.ids);
}

}  // namespace recall
