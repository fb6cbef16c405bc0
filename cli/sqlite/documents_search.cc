// The problem: a search ranks a number of chunks, and a statement reads documents until it has
// enough: those that also satisfy its other conditions, up to its LIMIT.
//
// The idea: a document ranks as its best chunk. First few chunks are asked for, and, when the
// statement wants more documents than are among them, four times as many.
//
// Invariant: no document is given twice, even if more chunks have another order.

#include "cli/sqlite/documents_search.h"

#include <algorithm>
#include <array>

#include "cli/options/settings/config.h"
#include "cli/server/mcp/json_rpc.h"

namespace recall {
namespace {

constexpr int64_t kFirstDocuments = 8;

// The options of a search that a view in an untrusted database file may use. Other members of a
// request could name files or change the form of the answer.
constexpr std::array<std::string_view, 14> kOptions = {
    "bm25",         "vector",    "fusion",    "stages", "field_weights", "cues",  "min_score",
    "lexical_mode", "no_expand", "embedding", "exact",  "snippet",       "as_of", "threads"};

}  // namespace

Status CheckSearchOptions(const std::string& options) {
  if (options.empty()) return Status::Ok();
  const std::optional<Json> json = ParseJson(options);
  if (!json || !json->is_object()) {
    return Status::InvalidArgument("the options must be a JSON object",
                                   "for example {\"bm25\": true}");
  }
  for (const auto& member : json->items()) {
    if (std::ranges::find(kOptions, member.key()) != kOptions.end()) continue;
    std::string names;
    for (const std::string_view name : kOptions) {
      names.append(names.empty() ? "" : ", ").append(name);
    }
    return Status::InvalidArgument("unknown option '" + member.key() + "'", "there are " + names);
  }
  return Status::Ok();
}

Result<bool> DocumentSearch::Next() {
  const int64_t most = Config().max_limit;
  const int64_t wanted = query_.count.value_or(most);
  if (wanted > most) {
    return Fail(Status::InvalidArgument("k exceeds " + std::to_string(most)));
  }
  while (query_.text && rank() < wanted) {
    while (next_ < found_.size()) {
      path_ = found_.TextAt(next_++, "doc.path");
      if (given_.insert(path_).second) return true;
    }
    if (all_) return false;
    RECALL_TRY(FindMore());
  }
  return false;
}

Status DocumentSearch::FindMore() {
  const int64_t most = Config().max_limit;
  const int64_t first = 2 * query_.count.value_or(kFirstDocuments) + kFirstDocuments;
  asked_ = std::min(most, asked_ == 0 ? first : 4 * asked_);
  // Rows with the same text are rows.
  LibraryRequest request{
      .command = "search",
      .body = query_.options,
      .texts = {{"query", *query_.text}, {"k", std::to_string(asked_)}, {"identical", "keep"}}};
  if (query_.filter) request.texts.emplace_back("filter", *query_.filter);
  RECALL_ASSIGN(CallAnswer answer, store_.Read(rows_, request));
  found_.Read(std::move(answer.output), "results");
  next_ = 0;
  all_ = static_cast<int64_t>(found_.size()) < asked_ || asked_ == most;
  return Status::Ok();
}

}  // namespace recall
