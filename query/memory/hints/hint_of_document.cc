#include "query/memory/hints/hint_of_document.h"

#include <utility>

#include "index/base/json/json_tape.h"
#include "index/base/text/turn_heading.h"
#include "index/source/chunk/front_matter.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

constexpr size_t kMostHeadBytes = 120;
constexpr size_t kMostWordsBytes = 240;

// " (changed since)" of a document whose file is not what was added.
std::string MarkOfSource(const DocView& doc) {
  const std::string_view mark = MarkOfState(doc.source_state);
  return mark.empty() ? std::string() : "(" + std::string(mark) + ") ";
}

std::string_view TextBehindCard(std::string_view text) {
  const auto card = FindFrontMatter(text);
  return card ? text.substr(card->end) : text;
}

std::string HeadOfNote(const DocView& doc) {
  const std::string type = CardText(doc, "type");
  const std::string title = CardText(doc, "title");
  const std::string both = type.empty() || title.empty() ? type + title : type + ": " + title;
  return HintLine(MarkOfSource(doc) + both, kMostHeadBytes);
}

// "2026-02-25 assistant, in: TITLE" of a turn; the heading of other documents.
std::string HeadOfChunk(const DocView& doc, const ChunkView& chunk) {
  if (doc.parser != kSessionParser) {
    return HintLine(MarkOfSource(doc) + chunk.heading, kMostHeadBytes);
  }
  constexpr size_t kDateBytes = 10;
  std::string head;
  if (const auto turn = ParseTurnHeading(chunk.heading)) {
    if (!turn->at.empty()) head = std::string(turn->at.substr(0, kDateBytes)) + " ";
    head += turn->role;
  }
  const std::string title = CardText(doc, "title");
  if (!title.empty()) head += (head.empty() ? "" : ", in: ") + title;
  return HintLine(head, kMostHeadBytes);
}

}  // namespace

std::string CardText(const DocView& doc, std::string_view key) {
  if (!doc.meta_json) return "";
  JsonTape tape;
  return tape.Parse(*doc.meta_json) ? tape.root()[key].Text() : "";
}

Hint HintOfNote(const DocView& doc, std::string_view text) {
  Hint hint;
  hint.path = doc.path;
  hint.citation = HintCitation(doc.path, 0, 0);
  hint.head = HeadOfNote(doc);
  const std::string summary = CardText(doc, "summary");
  hint.words = HintLine(summary.empty() ? TextBehindCard(text) : summary, kMostWordsBytes);
  return hint;
}

Hint HintOfHit(const SearchHit& hit) {
  const DocView& doc = hit.doc;
  if (doc.parser == kNoteParser) return HintOfNote(doc, hit.chunk.text);
  Hint hint;
  hint.path = doc.path;
  hint.citation = HintCitation(doc.path, hit.chunk.start_line, hit.chunk.end_line);
  hint.head = HeadOfChunk(doc, hit.chunk);
  const std::string_view words = hit.snippet ? std::string_view(hit.snippet->text) : "";
  hint.words = HintLine(words, kMostWordsBytes);
  return hint;
}

bool IsThisSession(const DocView& doc, std::string_view session_id) {
  return !session_id.empty() && doc.parser == kSessionParser && CardText(doc, "id") == session_id;
}

}  // namespace recall
