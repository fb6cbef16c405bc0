#include "storage/sessions/transcript_blocks.h"

#include <zstd.h>

#include <new>
#include <utility>

namespace recall {
namespace {

// A block ends with the line that reaches this size.
constexpr size_t kTranscriptBlockBytes = 1 << 20;
constexpr int kTranscriptLevel = 3;
// Several times the longest line that is read.
constexpr int64_t kMostTranscriptBlockBytes = int64_t{1} << 30;

}  // namespace

void TranscriptPacker::AddLine(std::string_view line) {
  waiting_.append(line).push_back('\n');
  if (waiting_.size() >= kTranscriptBlockBytes) EndBlock();
}

std::vector<TranscriptBlock> TranscriptPacker::Finish() && {
  if (!waiting_.empty()) EndBlock();
  return std::move(blocks_);
}

void TranscriptPacker::EndBlock() {
  TranscriptBlock block;
  block.size = static_cast<int64_t>(waiting_.size());
  block.data.resize(ZSTD_compressBound(waiting_.size()));
  const size_t size = ZSTD_compress(block.data.data(), block.data.size(), waiting_.data(),
                                    waiting_.size(), kTranscriptLevel);
  if (ZSTD_isError(size)) throw std::bad_alloc();  // the only error of a valid call
  block.data.resize(size);
  block.data.shrink_to_fit();
  blocks_.push_back(std::move(block));
  waiting_.clear();
}

Result<std::string> JoinTranscriptBlocks(const std::vector<TranscriptBlock>& blocks) {
  std::string text;
  for (const TranscriptBlock& block : blocks) {
    // Neither size is believed before both are the same.
    const auto size = ZSTD_getFrameContentSize(block.data.data(), block.data.size());
    const bool plausible = block.size >= 0 && block.size <= kMostTranscriptBlockBytes &&
                           size == static_cast<unsigned long long>(block.size);
    const size_t before = text.size();
    if (plausible) text.resize(before + static_cast<size_t>(block.size));
    if (!plausible || ZSTD_decompress(text.data() + before, text.size() - before, block.data.data(),
                                      block.data.size()) != static_cast<size_t>(block.size)) {
      return Fail(Status::Corruption("a kept transcript is damaged",
                                     "capture it again with `recall capture --again`"));
    }
  }
  return text;
}

}  // namespace recall
