// Packs whole chunks into a token budget, greedily in ranking order.
//
// Chunks overlap (the chunker repeats some text) and the ranking often contains several chunks of
// one document. Printing each chunk separately would repeat bytes and citations. The packer
// therefore maintains disjoint passages, each a contiguous byte range of one document:
//
//   document   |----- chunk 7 -----|
//                             |----- chunk 8 -----|     offered third: connects 7 and 9
//                                             |----- chunk 9 -----|
//   passages   [7]  [9]   ->   [7 8 9], at the position of the first
//
// Invariants: no two passages of a document overlap or touch; `used_` is the sum of the costs of
// all passages, citations included, and never exceeds the limit. A passage that grows is read and
// counted again as a whole, because its token count is not the sum of those of its chunks.
//
// The first chunk that does not fit ends the packing. It is cut to a prefix of whole tokens, unless
// it connects several passages, or begins before the passage it would extend, because a prefix
// could then drop bytes that are already selected.
//
// Cost: O(passages) per offered chunk, and one read and count of each passage whenever it changes.

#include "query/ask/context/chunk_packer.h"

#include <algorithm>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "query/ask/passages/passage_units.h"
#include "query/ask/passages/token_counter.h"

namespace recall {
namespace {

// A passage is not cut to fewer tokens than this, unless it is the only one: so short a fragment is
// useless to a reader.
constexpr int64_t kShortestCut = 16;

}  // namespace

// Every byte that is not white space belongs to some chunk, so only white space can lie between
// chunks with adjacent rowids.
bool ContextPacker::Joins(const Passage& passage, const RowReader::Located& row) {
  const ChunkRow& chunk = row.chunk;
  if (passage.doc->row != row.doc->row) return false;
  const bool touches = chunk.row + 1 >= passage.head.row && chunk.row <= passage.last_row + 1;
  const bool overlaps = chunk.start_byte < passage.end && chunk.end_byte > passage.start();
  return touches || overlaps;
}

ContextPacker::Passage ContextPacker::Start(const RowReader::Located& row, double score) {
  Passage passage;
  passage.doc = row.doc;
  passage.best = row.chunk;
  passage.head = row.chunk;
  passage.last_row = row.chunk.row;
  passage.end = row.chunk.end_byte;
  passage.chunks = {row.chunk};
  passage.score = score;
  return passage;
}

void ContextPacker::Absorb(Passage& into, const Passage& other) {
  if (other.start() < into.start()) into.head = other.head;
  into.last_row = std::max(into.last_row, other.last_row);
  into.end = std::max(into.end, other.end);
  into.chunks.insert(into.chunks.end(), other.chunks.begin(), other.chunks.end());
}

Status ContextPacker::ReadPassage(Passage& passage) const {
  RECALL_ASSIGN(passage.text, rows_->texts().ReadText(*passage.doc, passage.start(), passage.end));
  passage.cost = CitationTokens(passage) + Tokens(passage.text);
  return Status::Ok();
}

int64_t ContextPacker::Tokens(std::string_view text) const { return options_.counter->Count(text); }

int64_t ContextPacker::CitationTokens(const Passage& passage) const {
  return CitationCost(options_, *passage.doc, passage.head);
}

std::optional<std::vector<size_t>> ContextPacker::JoinedBy(const RowReader::Located& row) {
  std::vector<size_t> joined;
  for (size_t i = 0; i < passages_.size(); ++i) {
    if (!Joins(passages_[i], row)) continue;
    if (row.chunk.start_byte >= passages_[i].start() && row.chunk.end_byte <= passages_[i].end) {
      passages_[i].chunks.push_back(row.chunk);
      return std::nullopt;
    }
    joined.push_back(i);
  }
  return joined;
}

Result<bool> ContextPacker::Offer(const RowReader::Located& row, double score) {
  const auto joined = JoinedBy(row);
  if (!joined) return true;
  int64_t& taken = taken_per_doc_[row.doc->row];
  if (options_.diversity && taken >= *options_.diversity) return true;
  RECALL_ASSIGN(const bool whole, Take(row, score, *joined));
  if (whole) ++taken;
  return whole && Remaining() > 0;
}

Result<bool> ContextPacker::OfferNeighbour(const RowReader::Located& row) {
  const auto joined = JoinedBy(row);
  if (!joined || joined->empty()) return true;
  RECALL_ASSIGN(const bool whole, Take(row, 0, *joined));
  return whole && Remaining() > 0;
}

Result<bool> ContextPacker::Take(const RowReader::Located& row, double score,
                                 const std::vector<size_t>& joined) {
  Passage passage = joined.empty() ? Start(row, score) : passages_[joined.front()];
  int64_t freed = joined.empty() ? 0 : passage.cost;
  if (!joined.empty()) Absorb(passage, Start(row, score));
  for (size_t i = 1; i < joined.size(); ++i) {
    Absorb(passage, passages_[joined[i]]);
    freed += passages_[joined[i]].cost;
  }
  RECALL_TRY(ReadPassage(passage));
  if (passage.cost - freed > Remaining()) {
    TakePrefix(std::move(passage), joined);
    return false;
  }
  Place(std::move(passage), joined);
  return true;
}

void ContextPacker::Place(Passage passage, const std::vector<size_t>& joined) {
  used_ += passage.cost;
  for (const size_t i : joined) used_ -= passages_[i].cost;
  if (joined.empty()) {
    passages_.push_back(std::move(passage));
    return;
  }
  passages_[joined.front()] = std::move(passage);
  for (size_t i = joined.size(); i-- > 1;) {
    passages_.erase(passages_.begin() + static_cast<ptrdiff_t>(joined[i]));
  }
}

void ContextPacker::TakePrefix(Passage passage, const std::vector<size_t>& joined) {
  // The prefix must contain everything that is already selected: it may only extend the end of a
  // single passage.
  if (joined.size() > 1) return;
  const Passage* old = joined.empty() ? nullptr : &passages_[joined.front()];
  if (old && passage.start() < old->start()) return;

  const int64_t old_cost = old ? old->cost : 0;
  const int64_t citation = CitationTokens(passage);
  const int64_t room = Remaining() + old_cost - citation;
  const int64_t kept_tokens = old ? Tokens(old->text) : 0;
  const int64_t gained = room - kept_tokens;
  if (gained < 1 || (gained < kShortestCut && !passages_.empty())) return;

  const size_t kept = options_.counter->PrefixThatFits(passage.text, room);
  if (kept == 0 || (old && kept <= old->text.size())) return;
  passage.text.resize(kept);
  passage.end = passage.start() + passage.text.size();
  passage.truncated = true;
  passage.cost = CitationTokens(passage) + Tokens(passage.text);
  Place(std::move(passage), joined);
}

PackedContext ContextPacker::Finish() {
  PackedContext packed;
  for (Passage& passage : passages_) {
    ContextPiece piece;
    piece.doc = MakeDocView(*passage.doc);
    piece.chunk = MakeChunkView(*passage.doc, passage.head);
    piece.chunk.id = MakeChunkView(*passage.doc, passage.best).id;
    piece.chunk.end_byte = passage.end;
    piece.chunk.end_line = EndLine(passage.head.start_line, passage.text);
    piece.chunk.tokens = CountTokens(passage.text);
    piece.chunk.text = std::move(passage.text);
    for (const ChunkRow& chunk : passage.chunks) {
      piece.chunk_ids.push_back(MakeChunkView(*passage.doc, chunk).id);
    }
    piece.score = passage.score;
    piece.truncated = passage.truncated;
    packed.Add(std::move(piece), passage.best.row);
  }
  return packed;
}

}  // namespace recall
