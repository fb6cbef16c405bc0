#include "query/exchange/foreign_secrets.h"

#include <map>
#include <string>
#include <utility>

#include "index/source/note/note_draft.h"
#include "index/source/secrets/redactor.h"
#include "index/source/secrets/secret_scan.h"
#include "index/write/ingest/document_builder.h"

namespace recall {
namespace {

constexpr const char* kSkippedNotes = "notes with credentials";

// Redacts one note. What notes call each other is redacted in the same way everywhere, so links
// still meet.
class NoteRedaction final {
 public:
  NoteRedaction(const Redactor& redactor, std::map<std::string, int64_t>* counts)
      : redactor_(redactor), counts_(counts) {}

  void Redact(ForeignNote* note) {
    // A path is made of the title or the id in lower case, which hides a secret in either.
    const std::string id = std::exchange(note->id, Uncounted(note->id));
    if (Replace(&note->draft.title) || id != note->id)
      note->path = NotePathOf(NoteIdOf(note->draft.title));
    NoteDraft& draft = note->draft;
    for (auto* text : {&draft.summary, &draft.scope, &draft.source, &draft.superseded_by}) {
      if (*text) Replace(&**text);
    }
    for (auto* list : {&draft.tags, &draft.recall_when, &draft.topic_path, &draft.related}) {
      for (std::string& text : *list) Replace(&text);
    }
    for (auto& [key, json] : draft.other) json = redactor_.RedactJsonLine(json, counts_);
    Replace(&draft.text);
    if (draft.context) RedactContext(&*draft.context);
    if (note->mark) note->mark->second = Uncounted(note->mark->second);
    for (ForeignLink& link : note->links) {
      link.target = Uncounted(link.target);
      Replace(&link.reason);
    }
  }

 private:
  // Returns whether there was a secret in the text.
  bool Replace(std::string* text) {
    std::string redacted = redactor_.Redact(*text, counts_);
    const bool found = redacted != *text;
    *text = std::move(redacted);
    return found;
  }

  std::string Uncounted(const std::string& text) const { return redactor_.Redact(text, nullptr); }

  void RedactContext(NoteContext* context) {
    for (std::string* text : {&context->situation, &context->solution, &context->what_failed}) {
      Replace(text);
    }
    for (auto* list : {&context->error_messages, &context->files, &context->trigger_keywords}) {
      for (std::string& text : *list) Replace(&text);
    }
  }

  const Redactor& redactor_;
  std::map<std::string, int64_t>* counts_;
};

void WarnOfSecrets(const ForeignMemory& memory, ImportReport* report) {
  int64_t notes = 0;
  for (const ForeignNote& note : memory.notes) notes += !FindSecrets(PrintNote(note.draft)).empty();
  if (notes == 0) return;
  report->warnings.push_back("there " + std::string(notes == 1 ? "is " : "are ") +
                             std::to_string(notes) + (notes == 1 ? " note" : " notes") +
                             " with credentials; --secrets redact replaces them, --secrets skip "
                             "leaves such notes out");
}

}  // namespace

Status TreatSecrets(SecretPolicy policy, const SecretSettings& settings, ForeignMemory* memory,
                    ImportReport* report) {
  if (policy == SecretPolicy::kWarn) WarnOfSecrets(*memory, report);
  RECALL_ASSIGN(const auto redactor, RedactorFor(policy, settings));
  if (redactor == nullptr) return Status::Ok();
  if (policy == SecretPolicy::kRedact) {
    NoteRedaction redaction(*redactor, &report->redacted);
    for (ForeignNote& note : memory->notes) redaction.Redact(&note);
    return Status::Ok();
  }
  const size_t skipped = std::erase_if(memory->notes, [&](ForeignNote note) {
    std::map<std::string, int64_t> found;
    NoteRedaction(*redactor, &found).Redact(&note);
    return !found.empty();
  });
  for (ForeignNote& note : memory->notes) {
    std::erase_if(note.links, [&](const ForeignLink& link) {
      return !redactor->Find(link.target).empty() || !redactor->Find(link.reason).empty();
    });
  }
  if (skipped > 0) memory->dropped[kSkippedNotes] += static_cast<int64_t>(skipped);
  return Status::Ok();
}

}  // namespace recall
