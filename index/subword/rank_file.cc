#include "index/subword/rank_file.h"

#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "index/subword/byte_level.h"
#include "index/subword/pair_merger.h"
#include "index/subword/rank_splitter.h"
#include "storage/base/base64.h"

namespace recall {
namespace {

// A rank file (the ".tiktoken" files of OpenAI) is byte-level BPE without a list of merges. Each
// line is a token in base64 and its rank:
//
//   IQ== 0          "!"
//   ...
//   IHRoZQ== 279    " the"
//
// Two adjacent tokens may be merged if their joined bytes are a token, and the rank of the result
// is the priority of the merge. Training adds one token per merge, so the ranks order the merges.
// As in the reference implementation, a piece that is a token as a whole is not cut.
//
// Merging begins with single bytes, so any text can be encoded and there is no unknown token. Make
// checks that all 256 bytes are tokens.
//
// The pattern that splits text into pieces is not in the file. It is derived from the size of the
// vocabulary (RankPatternOf); rank_splitter.cc implements the patterns.
//
// Cost: reading a file is one hash insertion per line. Encoding a piece of n bytes is O(n log n)
// look-ups in the vocabulary (pair_merger.h).

constexpr size_t kMostGpt2Tokens = 75'000;
constexpr size_t kMostCl100kTokens = 180'000;

Status BadLine(size_t line, std::string_view what) {
  return Status::Corruption("line " + std::to_string(line) + ": " + std::string(what));
}

class RankModel final : public SubwordModel {
 public:
  static Result<std::unique_ptr<SubwordModel>> Make(std::string_view file) {
    auto model = std::make_unique<RankModel>();
    model->vocabulary_.LeaveOutPrefixes();
    // A line of these files has about 14 bytes, about 6 of which are the token's.
    model->vocabulary_.Reserve(file.size() / 14, file.size() / 2);
    for (size_t line = 1; !file.empty(); ++line) {
      const size_t end = std::min(file.find('\n'), file.size());
      RECALL_TRY(model->ReadLine(file.substr(0, end), line));
      file.remove_prefix(std::min(end + 1, file.size()));
    }
    for (size_t byte = 0; byte < model->bytes_.size(); ++byte) {
      const char text = static_cast<char>(byte);
      const auto id = model->vocabulary_.Find(std::string_view(&text, 1));
      if (!id) {
        return Fail(Status::Corruption("byte " + std::to_string(byte) + " has no token"));
      }
      model->bytes_[byte] = *id;
    }
    return model;
  }

  void Append(std::string_view piece, std::vector<uint32_t>* ids) const override {
    if (const auto id = vocabulary_.Find(piece)) return ids->push_back(*id);
    std::vector<PairSymbol> symbols;
    symbols.reserve(piece.size());
    for (size_t i = 0; i < piece.size(); ++i) {
      symbols.push_back({bytes_[static_cast<unsigned char>(piece[i])], i, i + 1});
    }
    const auto find = [&](const PairSymbol& left, const PairSymbol& right) {
      const auto id = vocabulary_.Find(piece.substr(left.begin, right.end - left.begin));
      return id ? std::optional(PairMerge{*id, *id}) : std::nullopt;
    };
    MergePairs(symbols, find, ids);
  }

 private:
  Status ReadLine(std::string_view text, size_t line) {
    const size_t space = text.find(' ');
    if (space == 0 || space == text.npos) return BadLine(line, "it is not a token and a rank");
    const auto token = DecodeBase64(text.substr(0, space));
    if (!token || token->empty()) return BadLine(line, "its token is not base64");
    uint32_t rank = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + space + 1, end, rank);
    if (error != std::errc() || stop != end || rank > std::numeric_limits<int32_t>::max()) {
      return BadLine(line, "its rank is not a number");
    }
    const size_t before = vocabulary_.size();
    vocabulary_.Add(*token, rank);
    return vocabulary_.size() > before ? Status::Ok() : BadLine(line, "the token is repeated");
  }

  std::array<uint32_t, 256> bytes_;  // the token of each byte
};

}  // namespace

RankPattern RankPatternOf(size_t tokens) {
  if (tokens <= kMostGpt2Tokens) return RankPattern::kGpt2;
  return tokens <= kMostCl100kTokens ? RankPattern::kCl100k : RankPattern::kO200k;
}

std::string_view NameOf(RankPattern pattern) {
  switch (pattern) {
    case RankPattern::kGpt2:
      return "gpt2";
    case RankPattern::kCl100k:
      return "cl100k";
    case RankPattern::kO200k:
      return "o200k";
  }
  return {};
}

std::unique_ptr<PieceSplitter> MakeRankSplitter(RankPattern pattern) {
  switch (pattern) {
    case RankPattern::kGpt2:
      return std::make_unique<RankSplitter>(&EndOfGpt2Piece);
    case RankPattern::kCl100k:
      return std::make_unique<RankSplitter>(&EndOfCl100kPiece);
    case RankPattern::kO200k:
      return std::make_unique<RankSplitter>(&EndOfO200kPiece);
  }
  return nullptr;
}

Result<std::unique_ptr<SubwordModel>> MakeRankModel(std::string_view file) {
  return RankModel::Make(file);
}

}  // namespace recall
