#include "query/compat/memories/foreign_memory.h"

#include <algorithm>

#include "index/base/paths/doc_path.h"
#include "index/base/text/case_fold.h"
#include "index/base/text/utf8.h"
#include "index/source/chunk/front_matter.h"
#include "index/source/note/text_links.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr size_t kMostRelationBytes = 64;
constexpr size_t kMostIdBytes = 200;  // of one component of a path; file systems allow 255

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether a part of an id can be a component of a path, and a file of that name is not hidden.
bool CanBeComponent(std::string_view part) {
  if (part.empty() || part.size() > kMostIdBytes || part.front() == '.' || !IsValidUtf8(part)) {
    return false;
  }
  return std::ranges::none_of(part, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\' || c == ':' || c == ' ' ||
           c == '[' || c == ']' || c == '|' || c == '#';
  });
}

}  // namespace

std::string RelationNameOf(std::string_view text) {
  std::string name;
  bool gap = false;
  for (const char c : text) {
    if (!IsWordByte(c) && c != '_') {
      gap = true;
      continue;
    }
    if (name.size() + 2 > kMostRelationBytes) break;
    if (gap && !name.empty()) name += '_';
    gap = false;
    name += c;
  }
  return name.empty() ? std::string(kRelatedRelation) : name;
}

std::string ForeignNotePath(std::string_view id) {
  std::string path;
  for (size_t at = 0; at <= id.size();) {
    const size_t end = std::min(id.find('/', at), id.size());
    const std::string_view part = id.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == "." || part == "..") continue;
    if (!path.empty()) path += '/';
    path += CanBeComponent(part) ? std::string(part) : NoteIdOf(part);
  }
  return NotePathOf(path.empty() ? NoteIdOf("") : path);
}

std::optional<UnixNanos> ParseForeignTime(std::string_view text) {
  text = Trim(text);
  if (const auto date = ParseRfc3339Date(text)) return date;
  if (const auto time = ParseRfc3339(text)) return time;
  // "2025-12-01T10:00", "2025-12-01 10:00:00.5"
  constexpr size_t kMinutes = std::string_view("2025-12-01T10:00").size();
  std::string completed(text);
  if (completed.size() == kMinutes) completed += ":00";
  return ParseRfc3339(completed + "Z");
}

std::string FoldedText(std::string_view text) {
  std::string folded;
  FoldCaseAppend(text, &folded);
  return folded;
}

std::string RepairedText(std::string_view text, bool* repaired) {
  const bool is_text = IsValidUtf8(text) && text.find('\0') == std::string_view::npos;
  if (is_text) return std::string(text);
  *repaired = true;
  std::string valid;
  AppendRepairedUtf8(text, &valid);
  std::string result;
  for (const char c : valid) {
    if (c == '\0') {
      AppendUtf8(0xFFFD, &result);
    } else {
      result += c;
    }
  }
  return result;
}

Status CheckCard(const ForeignNote& note) {
  const std::string markdown = PrintNote(note.draft);
  if (FindFrontMatter(markdown)) return Status::Ok();
  return note.place.Fault(StatusCode::kLimitExceeded,
                          "the card of the note " + PrintablePath(note.id.substr(0, 80)) +
                              " would be larger than 64 KiB",
                          "shorten its title, summary, tags or other fields there");
}

}  // namespace recall
