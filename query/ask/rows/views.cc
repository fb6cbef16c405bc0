#include "query/ask/rows/views.h"

#include <sys/stat.h>

#include <utility>

#include "storage/history/snapshot_token.h"

namespace recall {

DocView MakeDocView(const DocRow& doc) {
  return DocView{
      .id = ToHex(doc.id),
      .path = doc.path,
      .mtime = doc.mtime ? FormatRfc3339(*doc.mtime) : std::string(),
      .hash = ToHex(doc.hash),
      .tag = doc.tag,
      .source = doc.source,
      .meta_json = doc.meta,
      .parser = doc.parser,
      .size = doc.size,
      .tokens = doc.tokens,
      .chunks = doc.chunk_count,
      .origin = doc.origin,
      .lang = doc.language.code.empty() ? std::nullopt : std::optional(doc.language.code)};
}

ChunkView MakeChunkView(const DocRow& doc, const ChunkRow& chunk) {
  return ChunkView{.id = ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)),
                   .doc_id = ToHex(doc.id),
                   .offset = chunk.offset,
                   .tokens = chunk.tokens,
                   .start_byte = chunk.start_byte,
                   .end_byte = chunk.end_byte,
                   .start_line = chunk.start_line,
                   .end_line = chunk.end_line,
                   .heading = chunk.heading,
                   .text = {}};
}

StoreSummary Summarize(const ReadTransaction& transaction, const Store& store) {
  return Summarize(transaction, store, transaction.counts());
}

StoreSummary Summarize(const ReadTransaction& transaction, const Store& store,
                       const StoreCounts& counts) {
  StoreSummary summary;
  summary.docs = counts.docs;
  summary.chunks = counts.chunks;
  summary.tokens = counts.tokens;
  summary.bytes = counts.text_bytes;
  // Of a store on a server, that of its replica, which is as long. stat, not open: closing a
  // descriptor of the file would drop SQLite's locks of this process.
  struct stat file {};
  const std::string& path = transaction.path();
  if (::stat(path.c_str(), &file) == 0) summary.db_size_bytes = file.st_size;
  summary.snapshot = MakeSnapshotToken(store.uuid(), counts);
  return summary;
}

Result<const DocRow*> RowReader::ReadDocument(int64_t doc_row) {
  const auto found = docs_.find(doc_row);
  if (found != docs_.end()) return &found->second;
  RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(doc_row));
  return &docs_.emplace(doc_row, std::move(doc)).first->second;
}

Result<RowReader::Located> RowReader::Read(uint32_t chunk_row) {
  auto found = chunks_.find(chunk_row);
  if (found == chunks_.end()) {
    RECALL_ASSIGN(ChunkRow chunk, texts_.ReadChunk(chunk_row));
    found = chunks_.emplace(chunk_row, std::move(chunk)).first;
  }
  RECALL_ASSIGN(const DocRow* doc, ReadDocument(found->second.doc_row));
  return Located{found->second, doc};
}

}  // namespace recall
