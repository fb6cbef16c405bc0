#include "cli/commands/result_flags.h"

#include <utility>

#include "cli/show/output/number_text.h"

namespace recall {

void ResultFlags::Declare(FlagSet& flags, GlobalFlags& globals, const ResultForms& forms) {
  globals_ = &globals;
  lean_fields_ = forms.lean_fields;
  globals.lean_by_environment = forms.lean_by_environment;
  if (forms.lines) {
    flags.Switch("--jsonl", &globals.json_lines, "one JSON object per line: meta, then results");
  }
  flags.Switch("--lean", &globals.lean, "few bytes: a short line of JSON per result, then totals");
  flags.Text("--fields", &list_, "NAME,...",
             "only these fields: path, lines, score, snippet, doc.tag, ...");
  flags.Switch("--cite", &cite_, "print exact citations (path@hash:9-17), which `get` checks");
}

Status ResultFlags::Check(const GlobalFlags& globals, bool explain) {
  if (explain && globals.lean_from_environment) globals_->lean = false;
  if (explain && globals.lean) {
    return Status::InvalidArgument("--lean and --explain cannot be combined",
                                   "use --json or text to see how results were ranked");
  }
  if (globals.json && globals.json_lines) {
    return Status::InvalidArgument("--json and --jsonl cannot be combined");
  }
  if (globals.lean && (globals.json || globals.json_lines)) {
    return Status::InvalidArgument("--lean cannot be combined with " +
                                   std::string(globals.json ? "--json" : "--jsonl"));
  }
  const bool lean = globals.mode() == OutputMode::kLean;
  if (!list_ && (!lean || lean_fields_.empty())) return {};
  RECALL_ASSIGN(fields_, ResultFields::Parse(list_ ? std::string_view(*list_) : lean_fields_));
  return {};
}

void SendLean(CommandContext& context, const JsonItems& results, std::vector<std::string> warnings,
              const JsonFields& last) {
  const JsonRows rows = RowsOf(results);  // which have no errors
  SendLean(context, rows, std::move(warnings), last).value();
}

Result<ExitCode> SendLean(CommandContext& context, const JsonRows& rows,
                          std::vector<std::string> warnings, const JsonFields& last) {
  warnings.insert(warnings.begin(), context.warnings.begin(), context.warnings.end());
  return context.SendParts([&](std::string* text, const std::function<void()>& part_ends) {
    JsonWriter json(text);
    const auto write_line = [&](const JsonFields& write) {
      json.BeginObject();
      write(json);
      json.EndObject();
      json.EndLine();
      part_ends();
      return Status::Ok();
    };
    const Status written = rows(write_line);
    if (!written.ok()) return written;
    return write_line([&](JsonWriter& line) {
      last(line);
      if (!warnings.empty()) line.Field("warnings", warnings);
    });
  });
}

void WriteLeanTotals(const AnswerFacts& facts, JsonWriter& json) {
  json.Field("total", facts.total_hits);
  if (facts.total_hits_is_lower_bound) json.Field("total_is_lower_bound", true);
  if (facts.next_offset) json.Field("next_offset", *facts.next_offset);
  json.Field("snapshot", facts.store.snapshot);
  if (!facts.related) return;
  json.Objects("related", *facts.related, [&](const RelatedDoc& related) {
    json.Field("score", LeanScore(related.score));
    json.Field("path", related.doc.path);
    json.Field("via", related.via);
    json.Field("relation", related.relation);
  });
}

}  // namespace recall
