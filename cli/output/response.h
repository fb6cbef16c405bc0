#pragma once

// The one JSON document a command prints (docs/json.md). Builders turn answers of query/ into it.

#include <optional>
#include <string>
#include <vector>

#include "cli/output/field_values.h"
#include "cli/output/json.h"
#include "cli/terminal/exit_code.h"
#include "query/database.h"

namespace recall {

// The top level. Members that are null or empty are left out; the order is the published one, with
// what is ours at its end.
struct JsonResponse {
  Json query;
  Json results;
  Json context;
  Json explain;
  Json stats;
  std::vector<std::string> warnings;
  std::optional<int64_t> next_offset;
  // A command's own object: {"add", {...}}, {"rm", {...}}, {"get", {...}}, {"store", {...}}, ...
  std::string own_key;
  Json own;
  std::optional<Failure> failure;
  bool stable = false;  // without what differs from run to run (volatile_fields.h)
};

std::string FormatJson(const JsonResponse& response);
// {"type":"meta",...}, then {"type":"result","item":{...}} for each result.
std::string FormatJsonLines(const JsonResponse& response);

Json ToJson(const HitExplain& explain);
Json ToJson(const Snippet& snippet);
Json ToJson(const SearchHit& hit);
Json ToJson(const ContextResponse& context);
Json ToJson(const Failure& failure);

// Times and memory differ from run to run; everything else of an answer is the same bytes for the
// same question. They are filled where the user asked for them.
struct Measured {
  int64_t took_ms = 0;
  std::vector<StageTiming> timings;
  bool memory = false;
};

Json StatsJson(int64_t total_hits, const StoreSummary& store, const Measured& measured);
Json StatsJson(const AnswerFacts& facts, const Measured& measured);

}  // namespace recall
