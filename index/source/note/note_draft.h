#pragma once

// How a note is written. A note is a Markdown document: its front matter is its card, behind it
// come the text and, if there is one, the section "## Context". The keys of the card are those that
// the memories of other programs use, too (docs/notes.md).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/secrets/redacted_text.h"
#include "storage/base/clock.h"

namespace recall {

// What was going on when the note was taken. Empty texts and lists are left out.
struct NoteContext {
  std::string situation = {};
  std::string solution = {};
  std::string what_failed = {};
  std::vector<std::string> error_messages = {};
  std::vector<std::string> files = {};
  std::vector<std::string> trigger_keywords = {};

  bool operator==(const NoteContext&) const = default;
};

// What a note says, before it is written as Markdown.
struct NoteDraft {
  std::string type = {};  // any word: "lesson", "decision", "bug"
  std::string title = {};
  std::optional<std::string> summary = {};
  std::vector<std::string> tags = {};
  std::vector<std::string> recall_when = {};  // triggers: phrases in which the note is wanted
  std::vector<std::string> topic_path = {};   // "web/forms"
  std::optional<std::string> scope = {};
  std::optional<std::string> source = {};
  std::optional<double> confidence = {};  // 0 to 1
  std::optional<std::string> sensitivity = {};
  std::optional<std::string> status = {};
  std::optional<std::string> memory = {};  // "episodic" or "semantic"
  std::optional<UnixNanos> created = {};
  std::optional<UnixNanos> updated = {};
  std::optional<UnixNanos> last_reviewed_at = {};
  std::optional<UnixNanos> valid_until = {};
  std::optional<int64_t> expires_after_days = {};
  std::vector<std::string> related = {};  // ids or paths of notes
  std::optional<std::string> superseded_by = {};
  std::vector<std::pair<std::string, std::string>> other = {};  // further keys, with values as JSON
  std::string text = {};                                        // Markdown, without front matter
  std::optional<NoteContext> context = {};
};

// The Markdown of a note: the card with the members that are set, in the order above, an empty
// line, the text, and the context. Ends with a newline.
std::string PrintNote(const NoteDraft& note);

// The id of a note with this title: its letters and digits in lower case, '-' between words, at
// most 80 bytes; "note" if there are none.
std::string NoteIdOf(std::string_view title);

// The path of the note with this id: "notes/<id>.md".
std::string NotePathOf(std::string_view id);

// A summary of at most kMostSummaryCharacters code points: the beginning of `summary`.
inline constexpr size_t kMostSummaryCharacters = 400;
std::string CutSummary(const RedactedText& summary);

}  // namespace recall
