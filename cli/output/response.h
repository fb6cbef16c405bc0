#pragma once

// The one JSON document a command prints (docs/json.md), and what answers of query/ become in it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/field_values.h"
#include "cli/terminal/exit_code.h"
#include "query/types/search_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Writes the fields of an object that is open. It may view what it writes, which must then live
// until the response is sent.
using JsonFields = std::function<void(JsonWriter& json)>;

// The same for each object of a list.
struct JsonItems {
  size_t count = 0;
  std::function<void(size_t item, JsonWriter& json)> write;
};

// The top level. What is not set is left out; the order is the published one, with what is ours at
// its end.
struct JsonResponse {
  JsonFields query;
  JsonItems results;
  JsonFields context;
  JsonFields explain;
  JsonFields stats;
  std::vector<std::string> warnings;
  std::optional<int64_t> next_offset;
  // A command's own object: {"add", {...}}, {"rm", {...}}, {"get", {...}}, {"store", {...}}, ...
  std::string_view own_key;
  JsonFields own;
  std::optional<Failure> failure;
  bool stable = false;  // without what differs from run to run (volatile_fields.h)
};

std::string FormatJson(const JsonResponse& response);
// {"type":"meta",...}, then {"type":"result","item":{...}} for each result.
std::string FormatJsonLines(const JsonResponse& response);

void WriteFields(const HitExplain& explain, JsonWriter& json);
void WriteFields(const Snippet& snippet, JsonWriter& json);
void WriteFields(const SearchHit& hit, JsonWriter& json);
void WriteFields(const ContextResponse& context, JsonWriter& json);
void WriteFields(const Failure& failure, JsonWriter& json);

// Times and memory differ from run to run; everything else of an answer is the same bytes for the
// same question. They are filled where the user asked for them.
struct Measured {
  int64_t took_ms = 0;
  std::vector<StageTiming> timings;
  bool memory = false;
};

// The object `stats`. It views `store` and `facts`.
JsonFields StatsFields(int64_t total_hits, const StoreSummary& store, Measured measured);
JsonFields StatsFields(const AnswerFacts& facts, Measured measured);

}  // namespace recall
