#include "index/source/chunk/block_packer.h"

#include <algorithm>
#include <utility>

#include "index/source/chunk/window_cutter.h"

namespace recall {

// Parsers divide a document into blocks: paragraphs, list items, functions, headings with the block
// after them. The packer makes chunks of them, which should be as large as the limit permits
// without crossing headings, because retrieval ranks chunks and a chunk should have one subject:
//
//   blocks of a section   [a][bb][c][dddddddddddddddddddd][e]
//   chunks                [a  bb  c][dddddddd][dddddddddd  e]
//                         joined     cut into windows, the last of which is joined again
//
// State: `pending_` is the chunk being filled, `siblings_` are tiny sections that wait for more
// sections of the same parent. Add() joins a block to `pending_` if both fit into a chunk. A block
// that does not fit is cut into windows (window_cutter.h), and the last window becomes `pending_`.
// A small `pending_` before such a block, such as a heading, is cut together with it, so that it is
// not left alone.
//
// EndSection() keeps a section of less than an eighth of a chunk in `siblings_` instead of emitting
// it, so that a change log of many short sections becomes few chunks. Their heading is that of the
// parent.
//
// Invariants: chunks are emitted in the order of the text, cover all tokens, and satisfy the
// limits. Linear in the number of blocks, plus the cost of cutting windows.

void BlockPacker::BeginSection(Section section) {
  EndSection();
  section_ = std::move(section);
}

bool BlockPacker::AreOnOtherPages(const TextRange& before, const TextRange& after) const {
  const auto next = std::ranges::upper_bound(page_starts_, before.start);
  return next != page_starts_.end() && *next <= after.start;
}

void BlockPacker::Add(const TextRange& block) {
  if (pending_ && AreOnOtherPages(*pending_, block)) {
    Emit(*pending_);
    pending_.reset();
  }
  const TextRange joined = pending_ ? Join(*pending_, block) : block;
  if (Fits(joined, limits_)) {
    pending_ = joined;
    return;
  }
  const auto emit = [this](const TextRange& range) { Emit(range); };
  if (pending_ && !Fits(block, limits_) && pending_->tokens * 4 < limits_.tokens) {
    pending_ = CutWindows(text_, joined, limits_, emit);
    return;
  }
  if (pending_) Emit(*pending_);
  pending_ = Fits(block, limits_) ? block : CutWindows(text_, block, limits_, emit);
}

void BlockPacker::EndChunk() {
  EndSection();
  FlushSiblings();
}

void BlockPacker::Finish() { EndChunk(); }

void BlockPacker::EndSection() {
  if (pending_) {
    const bool tiny =
        section_.level > 0 && !section_emitted_ && pending_->tokens * 8 < limits_.tokens;
    if (!tiny) {
      Emit(*pending_);
    } else if (siblings_ && !AreOnOtherPages(siblings_->range, *pending_) &&
               siblings_->section.level == section_.level &&
               siblings_->section.parent == section_.parent &&
               Fits(Join(siblings_->range, *pending_), limits_)) {
      siblings_->range = Join(siblings_->range, *pending_);
      siblings_->section.heading = section_.parent;
    } else {
      FlushSiblings();
      siblings_ = Siblings{*pending_, section_};
    }
  }
  pending_.reset();
  section_emitted_ = false;
}

void BlockPacker::FlushSiblings() {
  if (siblings_) Append(siblings_->range, siblings_->section.heading);
  siblings_.reset();
}

void BlockPacker::Emit(const TextRange& range) {
  FlushSiblings();
  section_emitted_ = true;
  Append(range, section_.heading);
}

void BlockPacker::Append(const TextRange& range, const std::string& heading) {
  chunks_->push_back(MakeChunkSpan(range, heading));
}

}  // namespace recall
