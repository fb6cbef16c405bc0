// The text of a session: a block is what was said in a turn, without the heading before it and the
// uses of tools after it. The words of two turns are never in one chunk.

#include <optional>

#include "index/source/chunk/chunk_parsers.h"
#include "index/source/chunk/line_reader.h"
#include "index/source/session/session_text.h"

namespace recall {

void ParseTurnBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer) {
  LineReader reader(text, limits);
  Line line;
  bool more = reader.Next(&line);
  ScanTurns(text, [&](const TurnPlace& turn) {
    std::optional<TextRange> said;
    for (; more && line.start < turn.end; more = reader.Next(&line)) {
      if (line.start < turn.begin || line.blank()) continue;
      said = said ? Join(*said, line.range) : line.range;
    }
    if (!said) return;
    packer->BeginSection({.heading = std::string(turn.heading), .parent = {}, .level = 2});
    packer->Add(*said);
    packer->EndChunk();
  });
}

}  // namespace recall
