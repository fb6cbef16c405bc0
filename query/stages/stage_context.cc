#include "query/stages/stage_context.h"

#include <algorithm>
#include <utility>

#include "index/text/stop_words.h"

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
