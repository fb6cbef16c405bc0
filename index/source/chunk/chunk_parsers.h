#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "index/source/chunk/block_packer.h"
#include "index/source/chunk/text_range.h"

namespace recall {

template <size_t n>
bool IsOneOf(const std::string_view (&list)[n], std::string_view item) {
  return std::find(std::begin(list), std::end(list), item) != std::end(list);
}

// Each parser divides a text into blocks, pieces that belong together, and passes them to `packer`.
void ParsePlainBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer);
void ParseMarkdownBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer);
// As ParseMarkdownBlocks, but the heading "## Context" always begins a chunk.
void ParseNoteBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer);
// Each turn of a session is a block and a section of its own. Headings and uses of tools are in
// none.
void ParseTurnBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer);
void ParseCodeBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer);

}  // namespace recall
