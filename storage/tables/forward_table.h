#pragma once

// The forward index (docs/format/store.md, "word_dictionary, chunk_words"): a record of the words
// of each chunk, and the dictionary that the records refer to. It repeats what headings and texts
// say, for some of the chunks. Code that deletes a chunk, or changes its heading, must delete its
// record in the same transaction. index/search/ngram defines the bytes.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

// Calls visit(data) with the dictionary's bytes. Returns: false if there is none, as in stores of
// formats without forward index; then there are no records either.
Result<bool> ReadWordDictionary(Connection& connection,
                                const std::function<void(ByteSpan data)>& visit);

// Visits the records of `chunks`, in their order. The visitor gets the index of the chunk in
// `chunks`. Chunks without a record are left out. Requires: there is a dictionary; `chunks` is
// ascending.
Status ReadChunkWords(Connection& connection, std::span<const uint32_t> chunks,
                      const std::function<void(uint32_t index, ByteSpan record)>& visit);

// How much of a store the forward index covers.
struct ForwardExtent {
  int64_t chunks = 0;      // live chunks of the store when the dictionary was made
  int64_t next_chunk = 0;  // the chunk rowids from this one on have no records
};
// Returns: nothing if there is no dictionary.
Result<std::optional<ForwardExtent>> ReadForwardExtent(Connection& connection);
// The number of chunks with rowids from extent.next_chunk on. Takes time in proportion to it.
Result<int64_t> CountChunksAfter(Connection& connection, const ForwardExtent& extent);

// The functions below require a write transaction.

// Replaces the dictionary. Deletes all records, because they refer to the former one.
Status ReplaceWordDictionary(Connection& connection, int64_t chunks, ByteSpan data);
// Requires: the chunk has no record, and the record refers to the present dictionary.
Status InsertChunkWords(Connection& connection, uint32_t chunk, ByteSpan record);
// Deletes the dictionary and all records.
Status DeleteForwardIndex(Connection& connection);

}  // namespace recall
