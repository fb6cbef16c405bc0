#pragma once

// Documents for tests that need rows but neither tokens nor vectors.

#include <string>
#include <string_view>

#include "storage/documents/document_store.h"
#include "storage/sqlite/connection.h"
#include "tests/storage/schema/version1.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {

// Replaces the live document of the same path by one whose text is cut into `chunks` equal chunks.
// `doc` provides all fields that do not follow from that.
inline DocRow AddDoc(WriteTransaction& transaction, DocRow doc, std::string_view text,
                     uint32_t chunks) {
  if (const auto live = Must(FindLiveDoc(transaction, doc.path))) {
    EXPECT_OK(MarkDocRemoved(transaction, live->row));
  }
  doc.hash = Sha256(text);
  doc.id = MakeDocId(doc.path, doc.hash);
  doc.size = static_cast<int64_t>(text.size());
  if (doc.parser.empty()) doc.parser = "plain";
  doc.chunk_count = chunks;
  doc.first_chunk = Must(transaction.AllocateChunkRows(chunks));
  doc.row = Must(InsertDoc(transaction, doc, CompressText(text)));
  for (uint32_t i = 0; i < chunks; ++i) {
    ChunkRow chunk;
    chunk.row = doc.first_chunk + i;
    chunk.doc_row = doc.row;
    chunk.start_byte = text.size() * i / chunks;
    chunk.end_byte = text.size() * (i + 1) / chunks;
    chunk.offset = i * 10;
    chunk.start_line = i + 1;
    chunk.end_line = i + 2;
    chunk.tokens = i % 7;
    chunk.heading = i % 3 == 0 ? "" : "H > " + std::to_string(i);
    EXPECT_OK(InsertChunk(transaction, doc, chunk));
  }
  return doc;
}

inline void DowngradeToVersion1(const std::string& path) {
  const auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
  ASSERT_OK(connection->Execute(kToVersion1));
}

}  // namespace recall
