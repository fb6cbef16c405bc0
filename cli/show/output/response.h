#pragma once

// The JSON document that a command prints (docs/json.md), and how answers of query/ are written in
// it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/output/field_values.h"
#include "cli/show/output/result_fields.h"
#include "cli/show/terminal/exit_code.h"
#include "query/types/context_types.h"
#include "query/types/get_types.h"
#include "query/types/search_types.h"
#include "storage/base/json_writer.h"
#include "storage/base/result.h"

namespace recall {

// Writes the fields of an object that was begun. What it refers to must exist until the response is
// sent.
using JsonFields = std::function<void(JsonWriter& json)>;

// The objects of a list, each written into an object that was begun.
struct JsonItems {
  size_t count = 0;
  std::function<void(size_t item, JsonWriter& json)> write;
};

// The top level. Fields that are not set are omitted. The order is that of recall 0.1, with newer
// fields at the end.
struct JsonResponse {
  JsonFields query;
  JsonItems results;
  JsonFields context;
  JsonFields explain;
  JsonFields stats;
  std::vector<std::string> warnings;
  std::optional<int64_t> next_offset;
  std::optional<JsonItems> related;  // neighbours of results
  // An object of the command: {"add", {...}}, {"rm", {...}}, {"get", {...}}, {"store", {...}}, ...
  std::string_view own_key;
  JsonFields own;
  std::optional<Failure> failure;
  bool stable = false;  // without the values that differ from run to run (volatile_fields.h)
  std::optional<std::string> given_as_of;  // the text of --as-of
};

// Results that come one after the other: calls object(write) for each, whose errors end it. Errors:
// those of reading a result.
using JsonRows =
    std::function<Status(const std::function<Status(const JsonFields& write)>& object)>;

// Returns: the rows of a list in memory, which must outlive them; empty if there is no list.
JsonRows RowsOf(const JsonItems& items);

// Appends an answer to `text`, with `rows` instead of response.results, and calls part_ends() after
// each of them, which may take and clear the text. After an error the text has the rows before it.
Status WriteJson(const JsonResponse& response, const JsonRows& rows, JsonWriter::Layout layout,
                 std::string* text, const std::function<void()>& part_ends);
// As WriteJson, in the form of FormatJsonLines.
Status WriteJsonLines(const JsonResponse& response, const JsonRows& rows, std::string* text,
                      const std::function<void()>& part_ends);

std::string FormatJson(const JsonResponse& response,
                       JsonWriter::Layout layout = JsonWriter::Layout::kPretty);
// Returns: {"type":"meta",...}, then {"type":"result","item":{...}} for each result, one per line.
std::string FormatJsonLines(const JsonResponse& response);

// Writes the member `cite`, the exact citation of the chunk, if it has the hash of its lines;
// without a chunk that of the document.
void WriteCitation(const DocView& doc, const ChunkView* chunk, JsonWriter& json);
void WriteFields(const HitExplain& explain, JsonWriter& json);
void WriteFields(const Snippet& snippet, JsonWriter& json);
void WriteFields(const SearchHit& hit, JsonWriter& json);
// Writes what a hit was folded with: identical, identical_chunks, continued_by.
void WriteFolded(const SearchHit& hit, JsonWriter& json);
// Writes the uses of tools that were asked for: ran, outputs.
void WriteToolUses(const SearchHit& hit, JsonWriter& json);
// A neighbour of hits, with its document as `write_doc` writes it; empty: with all its members.
void WriteRelated(const RelatedDoc& related, const std::function<void(JsonWriter&)>& write_doc,
                  JsonWriter& json);
void WriteFields(const ContextResponse& context, JsonWriter& json);
// As above, with the pieces reduced to `fields`.
void WriteFields(const ContextResponse& context, const ResultFields& fields, JsonWriter& json);
void WriteFields(const Failure& failure, JsonWriter& json);

// The results of each command, for ResultFields. They must outlive the view.
ResultView ViewOf(const SearchHit& hit);
ResultView ViewOf(const ContextPiece& piece);
ResultView ViewOf(const QueryRow& row, bool ranked);
ResultView ViewOf(const GetResponse& found);

// Times and memory differ from run to run; all other bytes of an answer are the same for the same
// question and commit. They are set if the user requested them.
struct Measured {
  int64_t took_ms = 0;
  std::vector<StageTiming> timings;
  bool memory = false;
};

// Returns: the writer of the object `stats`. It refers to `store` and `facts`.
JsonFields StatsFields(int64_t total_hits, const StoreSummary& store, Measured measured);
JsonFields StatsFields(const AnswerFacts& facts, Measured measured);

}  // namespace recall
