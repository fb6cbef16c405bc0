#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/options/flags/flags.h"
#include "cli/options/flags/global_flags.h"
#include "cli/run/command/command_context.h"
#include "cli/show/output/response.h"
#include "cli/show/output/result_fields.h"

namespace recall {

// The forms that results of a command can have.
struct ResultForms {
  std::string_view lean_fields;  // of --lean without --fields; "" if the query selects them
  bool lines = true;             // --jsonl
  // Whether RECALL_OUTPUT=lean stands for --lean; not where text is as short.
  bool lean_by_environment = false;
};

// The flags for the form of results, which search, similar, query, context and get share:
// --jsonl, --lean, --fields, --cite.
class ResultFlags final {
 public:
  void Declare(FlagSet& flags, GlobalFlags& globals, const ResultForms& forms);
  // Errors: InvalidArgument for flags that exclude each other, and for unknown fields.
  // `explain`: the answer has explanations, for which lean lines have no place.
  Status Check(const GlobalFlags& globals, bool explain = false);

  // The requested fields, or those of --lean; unset: whole results.
  const std::optional<ResultFields>& fields() const { return fields_; }
  // Whether the fields were requested, and are not those of --lean.
  bool named() const { return list_.has_value(); }
  // The computed fields among them.
  std::vector<FieldRef> computed() const {
    return fields_ ? fields_->computed() : std::vector<FieldRef>();
  }
  // Whether exact citations were requested.
  bool cites() const { return cite_; }
  // Whether results need the hash of their lines.
  bool cite() const { return cite_ || (fields_ && fields_->needs_hash()); }

 private:
  GlobalFlags* globals_ = nullptr;
  std::string_view lean_fields_;
  std::optional<std::string> list_;
  bool cite_ = false;
  std::optional<ResultFields> fields_;
};

// Sends results as lean lines: one for each result, then one with the members that `last` writes,
// and with the warnings, if there are any.
void SendLean(CommandContext& context, const JsonItems& results, std::vector<std::string> warnings,
              const JsonFields& last);

// The same with rows that are read while they are sent. As CommandContext::Send.
Result<ExitCode> SendLean(CommandContext& context, const JsonRows& rows,
                          std::vector<std::string> warnings, const JsonFields& last);

// Writes the members of the last lean line of a ranking: total, next_offset, snapshot.
void WriteLeanTotals(const AnswerFacts& facts, JsonWriter& json);

}  // namespace recall
