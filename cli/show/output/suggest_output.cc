#include "cli/show/output/suggest_output.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "storage/base/ascii.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

constexpr std::string_view kSuggestIndent = "    ";

// A word of a command line, in quotes if a shell would take it apart.
std::string ShellWord(const std::string& word) {
  constexpr std::string_view kPlain = "-_./=:,@%+";
  const bool plain = !word.empty() && std::ranges::all_of(word, [&](char c) {
    return IsAsciiAlnum(c) || kPlain.find(c) != kPlain.npos;
  });
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string NoteLine(const SuggestedNote& note, const TextStyle& style) {
  const std::string title = note.title.empty() ? "" : "  " + EscapeLine(note.title);
  return style.DocPath(note.path) + title + "\n";
}

// "likeness 0.21, cosine 0.44", or "".
std::string EvidenceText(const Suggestion& suggestion) {
  std::string text;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (!value) return;
    char number[48];
    std::snprintf(number, sizeof(number), "%s%s %.2f", text.empty() ? "" : ", ", name, *value);
    text += number;
  };
  add("likeness", suggestion.likeness);
  add("cosine", suggestion.cosine);
  return text;
}

void WriteSuggestion(const Suggestion& suggestion, JsonWriter& json) {
  json.Field("id", suggestion.id);
  json.Field("kind", NameOf(suggestion.kind));
  json.Field("cause", suggestion.cause);
  json.Field("reason", suggestion.reason);
  json.Objects("notes", suggestion.notes, [&](const SuggestedNote& note) {
    json.Field("path", note.path);
    json.FieldOrNull("title", note.title);
    json.FieldOrNull("type", note.type);
  });
  json.Field("shared", suggestion.shared);
  json.Field("likeness", suggestion.likeness);
  json.Field("cosine", suggestion.cosine);
  json.Field("old", suggestion.old_text);
  json.Field("new", suggestion.new_text);
  json.Field("command", suggestion.command);
  json.Field("rejected", suggestion.rejected);
}

}  // namespace

std::string CommandLineOf(const Suggestion& suggestion) {
  std::string line;
  for (const std::string& word : suggestion.command) {
    line += (line.empty() ? "" : " ") + EscapeLine(ShellWord(word));
  }
  return line;
}

std::string FormatSuggestion(const Suggestion& suggestion, const TextStyle& style) {
  std::string text = suggestion.id + "  " + std::string(NameOf(suggestion.kind)) + "  ";
  const bool lists_all = suggestion.kind == SuggestionKind::kPattern;
  text +=
      lists_all ? EscapeLine(suggestion.reason) + "\n" : NoteLine(suggestion.notes.front(), style);
  for (size_t i = lists_all ? 0 : 1; i < suggestion.notes.size(); ++i) {
    text += std::string(kSuggestIndent) + NoteLine(suggestion.notes[i], style);
  }
  const std::string evidence = EvidenceText(suggestion);
  if (!lists_all) text += std::string(kSuggestIndent) + EscapeLine(suggestion.reason) + "\n";
  if (!evidence.empty()) text += std::string(kSuggestIndent) + evidence + "\n";
  if (suggestion.rejected) text += std::string(kSuggestIndent) + "rejected\n";
  return text;
}

void WriteFields(const SuggestReport& report, JsonWriter& json) {
  if (report.as_of) json.Field("as_of", FormatRfc3339(*report.as_of));
  json.FieldOrNull("filter", report.filter);
  json.Field("rejected", report.rejected);
  json.Objects("suggestions", report.suggestions,
               [&](const Suggestion& suggestion) { WriteSuggestion(suggestion, json); });
}

void WriteFields(const SettleReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("accepted", report.accepted);
  json.Field("done", report.done);
  json.Object("suggestion", [&] { WriteSuggestion(report.suggestion, json); });
}

}  // namespace recall
