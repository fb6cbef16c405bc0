#include "index/chunk/block_packer.h"

#include <utility>

#include "index/chunk/window_cutter.h"

namespace recall {

void BlockPacker::BeginSection(Section section) {
  EndSection();
  section_ = std::move(section);
}

void BlockPacker::Add(const TextRange& block) {
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

void BlockPacker::Finish() {
  EndSection();
  FlushSiblings();
}

void BlockPacker::EndSection() {
  if (pending_) {
    const bool tiny =
        section_.level > 0 && !section_emitted_ && pending_->tokens * 8 < limits_.tokens;
    if (!tiny) {
      Emit(*pending_);
    } else if (siblings_ && siblings_->section.level == section_.level &&
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
  chunks_->push_back(ChunkSpan{.start_byte = range.start,
                               .end_byte = range.end,
                               .start_line = range.start_line,
                               .end_line = range.end_line,
                               .offset = range.token,
                               .byte_in_token = range.byte_in_token,
                               .tokens = static_cast<uint32_t>(range.tokens),
                               .heading = heading});
}

}  // namespace recall
