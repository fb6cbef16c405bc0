#include "query/memory/suggest/suggestable_notes.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "query/ask/rows/scope.h"
#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

// Sorted.
constexpr std::string_view kEpisodes[] = {
    "bug",     "error",  "failure", "gotcha",     "incident", "issue",     "lesson",
    "mistake", "outage", "pitfall", "postmortem", "problem",  "regression"};
static_assert(std::ranges::is_sorted(kEpisodes));

std::vector<std::string> TextsOnCard(const DocRow& doc, const std::string& key) {
  std::vector<std::string> texts;
  if (!doc.meta) return texts;
  const auto scalars = MetadataAt(*doc.meta, {&key, 1});
  if (!scalars) return texts;
  for (const MetaScalar& scalar : *scalars) texts.push_back(scalar.text);
  return texts;
}

std::string FirstOnCard(const DocRow& doc, const std::string& key) {
  std::vector<std::string> texts = TextsOnCard(doc, key);
  return texts.empty() ? std::string() : std::move(texts.front());
}

class NotesReading final {
 public:
  NotesReading(const Snapshot& snapshot, AnswerFacts* facts) : snapshot_(snapshot), of_(facts) {}

  Result<SuggestableNotes> Read(Scope scope, const std::string& commit_token) {
    of_->as_of = scope.as_of.value_or(WallClockNanos());
    scope.as_of = of_->as_of;
    RECALL_ASSIGN(const ResolvedScope within,
                  ResolveScope(snapshot_.filters(), scope, commit_token, FilterDomain::kDocs));
    of_->filter = within.filter;
    of_->warnings = within.warnings;
    RECALL_TRY(ReadNotes(within));
    RECALL_TRY(ReadLinks());
    return std::move(read_);
  }

 private:
  Status ReadNotes(const ResolvedScope& within) {
    std::vector<NoteFacts> found;
    RECALL_TRY(snapshot_.notes().ScanFacts(*of_->as_of, [&](const NoteFacts& facts) {
      if (!facts.is_note || facts.card.obsolete || facts.chunk_count == 0) return;
      const bool is_within =
          !within.set || (facts.doc_row <= std::numeric_limits<uint32_t>::max() &&
                          within.set->Contains(static_cast<uint32_t>(facts.doc_row)));
      if (is_within) found.push_back(facts);
    }));
    for (NoteFacts& facts : found) {
      SuggestableNote& note = read_.notes.emplace_back();
      RECALL_ASSIGN(note.doc, snapshot_.texts().ReadDoc(facts.doc_row));
      RECALL_ASSIGN(note.text, ReadComparedPart(snapshot_.texts(), note.doc));
      note.facts = facts;
      note.shown = {note.doc.path, note.text.title, FirstOnCard(note.doc, "type")};
      note.naming = TextsOnCard(note.doc, "tags");
      std::ranges::move(TextsOnCard(note.doc, "recall_when"), std::back_inserter(note.naming));
      note.topics = TextsOnCard(note.doc, "topic_path");
    }
    std::ranges::sort(read_.notes, {}, [](const SuggestableNote& note) -> const std::string& {
      return note.doc.path;
    });
    for (size_t i = 0; i < read_.notes.size(); ++i) places_[read_.notes[i].doc.row] = i;
    return {};
  }

  Status ReadLinks() {
    std::vector<std::pair<int64_t, int64_t>> derived;  // rows
    RECALL_TRY(snapshot_.notes().ScanLinks([&](const NamedLink& link) {
      if (!link.source_row || !link.target_row) return;
      if (link.relation == "derived_from") {
        derived.emplace_back(*link.source_row, *link.target_row);
      }
      const auto source = places_.find(*link.source_row);
      const auto target = places_.find(*link.target_row);
      if (source == places_.end() || target == places_.end()) return;
      const SuggestableNotes::Pair pair = {source->second, target->second};
      read_.linked.insert({std::min(pair.first, pair.second), std::max(pair.first, pair.second)});
      if (link.relation == "supersedes") read_.superseding.insert(pair);
      if (link.relation == "contradicts") read_.contradicting.insert(pair);
    }));
    for (const auto& [source, target] : derived) {
      RECALL_TRY(NoteDerived(source, target));
      RECALL_TRY(NoteDerived(target, source));
    }
    return {};
  }

  // Remembers the note of a row if that of the other one is a pattern, also one out of the scope.
  Status NoteDerived(int64_t row, int64_t other) {
    const auto place = places_.find(row);
    if (place == places_.end()) return {};
    RECALL_ASSIGN(const DocRow doc, snapshot_.texts().ReadDoc(other));
    const bool obsolete = ReadNoteCard(doc.meta.value_or(""), doc.mtime).obsolete;
    if (!obsolete && FirstOnCard(doc, "type") == kPatternType) {
      read_.of_patterns.insert(place->second);
    }
    return {};
  }

  const Snapshot& snapshot_;
  AnswerFacts* of_;
  SuggestableNotes read_;
  std::unordered_map<int64_t, size_t> places_;  // by document row
};

}  // namespace

bool IsOfEpisode(std::string_view type) { return std::ranges::binary_search(kEpisodes, type); }

Result<SuggestableNotes> ReadSuggestableNotes(const Snapshot& snapshot, const Scope& scope,
                                              const std::string& commit_token, AnswerFacts* facts) {
  return NotesReading(snapshot, facts).Read(scope, commit_token);
}

}  // namespace recall
