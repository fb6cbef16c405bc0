#include "query/ask/stages/stage_context.h"

#include <algorithm>
#include <utility>

#include "index/base/text/stop_words.h"

namespace recall {
namespace {

// The stems of an indexed text (tokens separated by single spaces) without stop words.
std::vector<std::string> SalientStems(std::string_view body) {
  std::vector<std::string> stems;
  while (!body.empty()) {
    const size_t end = std::min(body.find(' '), body.size());
    const std::string_view stem = body.substr(0, end);
    if (!stem.empty() && !IsStopStem(stem)) stems.emplace_back(stem);
    body.remove_prefix(std::min(end + 1, body.size()));
  }
  return stems;
}

}  // namespace

StageContext::StageContext(const Snapshot& snapshot, const SearchIndexes& indexes,
                           EmbeddingSpace& embedding, Tokenizer& tokenizer, const Rankers& rankers,
                           const StageQuestion& question)
    : snapshot_(snapshot),
      indexes_(indexes),
      embedding_(embedding),
      tokenizer_(tokenizer),
      rankers_(rankers),
      question_(question),
      rows_(snapshot.texts()),
      question_stems_(StemsOf(question.query->wanted)) {}

Result<const StageChunk*> StageContext::Read(uint32_t chunk) {
  std::unique_ptr<StageChunk>& read = chunks_[chunk];
  if (read) return read.get();
  RECALL_ASSIGN(RowReader::Located row, rows_.Read(chunk));
  RECALL_ASSIGN(std::string text,
                snapshot_.texts().ReadText(*row.doc, row.chunk.start_byte, row.chunk.end_byte));
  LexicalText tokens;
  tokenizer_.Analyze(row.chunk.heading, text, &tokens);
  read.reset(new StageChunk{std::move(row), std::move(text), SalientStems(tokens.body)});
  return read.get();
}

Result<std::optional<NoteState>> StageContext::StateOf(int64_t doc_row) {
  const auto [known, is_new] = states_.try_emplace(doc_row);
  if (is_new) {
    RECALL_ASSIGN(known->second, snapshot_.notes().FindState(doc_row, question_.as_of));
  }
  return known->second;
}

Result<StageDocument> StageContext::ReadDocument(int64_t doc_row) {
  const auto known = states_.find(doc_row);
  if (known != states_.end() && known->second) {
    return StageDocument{doc_row, known->second->first_chunk, known->second->chunk_count};
  }
  RECALL_ASSIGN(const DocRow* const doc, rows_.ReadDocument(doc_row));
  return StageDocument{doc_row, doc->first_chunk, doc->chunk_count};
}

Result<int64_t> StageContext::DocumentOf(uint32_t chunk) {
  const auto [known, is_new] = docs_of_chunks_.try_emplace(chunk);
  if (is_new) {
    RECALL_ASSIGN(const ChunkRow row, snapshot_.texts().ReadChunk(chunk));
    known->second = row.doc_row;
  }
  return known->second;
}

std::vector<std::string> StageContext::StemsOf(std::string_view text) {
  std::vector<std::string> stems;
  for (const Tokenizer::Word& word : tokenizer_.AnalyzeQuery(text)) {
    for (const std::string& stem : word.stems) {
      if (!IsStopStem(stem)) stems.push_back(stem);
    }
  }
  return stems;
}

UnixNanos StageContext::AsOf() {
  as_of_used_ = question_.as_of;
  return question_.as_of;
}

}  // namespace recall
