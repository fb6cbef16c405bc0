#include "query/ask/rows/text_candidates.h"

#include <algorithm>

namespace recall {

Result<TextCandidates> ListTextCandidates(const TextsAndFacts& texts, const Bitmap* scope,
                                          const GramFilter& filter) {
  std::vector<int64_t> excluded;  // ascending
  if (filter.IsUseful()) {
    RECALL_TRY(texts.ScanTextGrams([&](int64_t doc_row, ByteSpan grams) {
      if (!filter.MayMatch(grams)) excluded.push_back(doc_row);
    }));
  }
  TextCandidates found;
  RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
    uint64_t wanted = entry.chunk_count;
    if (scope != nullptr && wanted > 0) {
      wanted = scope->CountRange(entry.first_chunk, entry.first_chunk + (entry.chunk_count - 1));
    }
    if (wanted == 0) return true;
    found.scope_has_documents = true;
    if (!std::ranges::binary_search(excluded, entry.doc_row)) {
      found.documents.push_back({entry.doc_row, wanted == entry.chunk_count});
    }
    return true;
  }));
  return found;
}

Result<AllowedParts> AllowedParts::Read(const TextsAndFacts& texts, const DocRow& doc,
                                        const TextCandidate& candidate, const Bitmap* scope) {
  AllowedParts allowed;
  allowed.is_whole_ = candidate.is_whole;
  if (candidate.is_whole) return allowed;
  RECALL_ASSIGN(const std::vector<ChunkRow> chunks, texts.ReadChunksOf(doc));
  for (const ChunkRow& chunk : chunks) {
    if (scope->Contains(chunk.row)) allowed.parts_.push_back({chunk.start_byte, chunk.end_byte});
  }
  return allowed;
}

bool AllowedParts::Contains(uint64_t byte) const {
  return is_whole_ || std::ranges::any_of(parts_, [&](const ByteRange& part) {
           return part.start <= byte && byte < part.end;
         });
}

}  // namespace recall
