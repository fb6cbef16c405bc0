#pragma once

// Rows of documents, their chunks and their text.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/ids.h"
#include "storage/store/store.h"
#include "storage/tables/doc_origin.h"
#include "storage/tables/extraction_table.h"
#include "storage/tables/language_table.h"

namespace recall {

// The parser of a document whose text is not that of the file: recall 0.1 stored only chunks, from
// which the text was assembled. Its hash is that of the file, so ids are unchanged, but the hash
// does not match the text.
inline constexpr std::string_view kImportedParser = "imported";

// The parser of notes: documents with a card (storage/notes).
inline constexpr std::string_view kNoteParser = "note";

// The parser of sessions: conversations with coding agents (index/source/session).
inline constexpr std::string_view kSessionParser = "session";

// One version of one document. Editing a file adds a row and marks the old one removed.
struct DocRow {
  int64_t row = 0;  // assigned by InsertDoc, never reused
  Digest id{};      // MakeDocId(path, hash)
  std::string path;
  Digest hash{};  // SHA-256 of the text
  std::optional<UnixNanos> mtime;
  int64_t size = 0;  // bytes of text
  std::optional<std::string> tag;
  std::optional<std::string> source;
  std::optional<std::string> meta;  // a JSON object
  std::string parser;               // "plain", "markdown", "code" or one of the constants above
  uint32_t first_chunk = 0;         // the chunk rowids of a document are consecutive
  uint32_t chunk_count = 0;
  int64_t first_block = 0;  // its text blocks are consecutive, too
  int64_t tokens = 0;       // whitespace tokens
  int64_t lexical_tokens = 0;
  int64_t added_sequence = 0;
  std::optional<int64_t> removed_sequence;
  // kFileOrigin and so on. Nothing but the treatment of missing files depends on it, so the reading
  // functions pass on what a row has; the doctor reports other values.
  std::string origin = std::string(kFileOrigin);
  // Its language, with which its words are stemmed. Nothing but a new version changes it.
  DocLanguage language = {};
  // The record of its user-supplied embedding (EncodeSuppliedVector), "" if there is none. Not read
  // with the row: see FindSuppliedVector.
  std::string supplied_vector = {};
  // How its text was extracted; none if the text is that of the file. Not read with the row: see
  // FindExtraction.
  std::optional<ExtractionRow> extraction = {};
  // By which grammar its chunks were cut, "python-0.23.6"; "" if by none. Not read with the row:
  // see FindGrammar.
  std::string grammar = {};
  // The trigrams of its text (MakeTextGrams); "" if they are not recorded. Not read with the row:
  // see ScanTextGrams.
  std::string grams = {};
};

// A chunk is a byte range of its document's text.
struct ChunkRow {
  uint32_t row = 0;
  int64_t doc_row = 0;
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;    // exclusive
  uint32_t start_line = 0;  // from 1
  uint32_t end_line = 0;    // inclusive: the line of the last byte
  uint64_t offset = 0;      // index of the whitespace token it starts in
  uint32_t byte_in_token = 0;
  uint32_t tokens = 0;
  uint32_t lexical_tokens = 0;
  std::string heading;  // "Guide > Install", outermost first
};

// Texts are stored as zstd frames of this many bytes of text each (the last is shorter), so that
// reading a byte range decompresses only the blocks that contain it.
inline constexpr uint32_t kTextBlockBytes = 32 * 1024;

// Compresses text into blocks. Thread-safe; deterministic for one zstd version.
std::vector<std::string> CompressText(std::string_view text);
// Decompresses one block into exactly out.size() bytes. False if it has another size, or if the
// frame is longer than any frame of that size. Thread-safe.
bool DecompressTextBlock(ByteSpan frame, std::span<char> out);
// Decompresses the text of all blocks of a document. Thread-safe. Corruption if its size is wrong.
Result<std::string> DecompressText(const DocRow& doc, std::span<const std::string> blocks);

// Writing. InsertDoc assigns the document's row (returned), first block and added sequence (that of
// the commit in progress); `first_chunk` must come from AllocateChunkRows. Chunks are inserted with
// their rows already set. Errors: AlreadyExists if a live document has the path. Requires: the
// documents to update, mark and delete are rows of this transaction; Corruption if they are not.
Result<int64_t> InsertDoc(WriteTransaction& transaction, const DocRow& doc,
                          const std::vector<std::string>& text_blocks);
Status InsertChunk(WriteTransaction& transaction, const DocRow& doc, const ChunkRow& chunk);
// Updates the values that are not part of a version's identity: mtime, tag, source, meta,
// origin.
Status UpdateDocMetadata(WriteTransaction& transaction, const DocRow& doc);
// Sets `doc.lexical_tokens` of a document whose tokens were counted while its chunks were written.
Status UpdateDocLexicalTokens(WriteTransaction& transaction, const DocRow& doc);
// Marks a live version as removed by the commit in progress.
Status MarkDocRemoved(WriteTransaction& transaction, int64_t doc_row);
// Deletes a removed version's rows (document, chunks with their words and symbols, text) for good.
// The caller must delete its postings and its vectors.
Status DeleteDocRows(WriteTransaction& transaction, const DocRow& doc);

// Reading. Values out of range are Corruption. So are the missing rows of ReadDoc and ReadChunk:
// another row or an index named them.
Result<std::optional<DocRow>> FindLiveDoc(const ReadTransaction& transaction,
                                          std::string_view path);
// The versions of a path that are removed but not purged, the last removed first. None in a
// transaction that reads an older commit. Cost: in proportion to all removed versions.
Result<std::vector<DocRow>> FindRemovedVersions(const ReadTransaction& transaction,
                                                std::string_view path);
Result<DocRow> ReadDoc(const ReadTransaction& transaction, int64_t doc_row);
// Nothing if the transaction does not contain the row, for example because it reads an older
// commit.
Result<std::optional<DocRow>> FindDoc(const ReadTransaction& transaction, int64_t doc_row);
// Live documents whose path is `directory` or below it, by path.
Result<std::vector<DocRow>> FindLiveDocsUnder(const ReadTransaction& transaction,
                                              std::string_view directory);
// Live documents whose id starts with the hexadecimal prefix, by id, at most `limit`.
Result<std::vector<DocRow>> FindLiveDocsById(const ReadTransaction& transaction,
                                             std::string_view hex_prefix, size_t limit);
// Chunks of live documents whose id starts with the prefix, at most `limit`.
Result<std::vector<ChunkRow>> FindLiveChunksById(const ReadTransaction& transaction,
                                                 std::string_view hex_prefix, size_t limit);
Result<ChunkRow> ReadChunk(const ReadTransaction& transaction, uint32_t chunk_row);
// All chunks of a document version, by row.
Result<std::vector<ChunkRow>> ReadChunksOf(const ReadTransaction& transaction, const DocRow& doc);
// Bytes start..end (clamped to the text's size).
Result<std::string> ReadText(const ReadTransaction& transaction, const DocRow& doc, uint64_t start,
                             uint64_t end);
// The whole text, compressed as it is stored. Corruption if a block is missing.
Result<std::vector<std::string>> ReadTextBlocks(const ReadTransaction& transaction,
                                                const DocRow& doc);
// The versions that commit `sequence` or an earlier one removed, oldest first, at most `limit`.
Result<std::vector<DocRow>> ListRemovedDocs(const ReadTransaction& transaction, int64_t sequence,
                                            size_t limit);

}  // namespace recall
