// Reads a project of Basic Memory: a directory of Markdown files.
//
// The permalink names a note and becomes its path. Observations ("- [category] text #tag") and
// relations ("- relation [[Target]]") are lines of the text, which stays as it is; links are read
// from it as from that of any note. Two things are read from it here: the tags of observations,
// which join those of the card, and relations whose names a link cannot have ("based on").

#include <algorithm>
#include <set>

#include "index/source/chunk/markdown_lines.h"
#include "index/source/note/text_links.h"
#include "query/compat/memories/exported_states.h"
#include "query/compat/memories/foreign_card.h"
#include "query/compat/memories/readers.h"
#include "query/compat/memories/vault_files.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using Json = nlohmann::json;

// A permalink made of a file's name, as that program makes it: "My Notes/A b.md" -> "my-notes/a-b".
std::string PermalinkOf(std::string_view name) {
  std::string permalink;
  const std::string_view stem = name.substr(0, name.rfind('.'));
  for (size_t at = 0; at <= stem.size();) {
    const size_t end = std::min(stem.find('/', at), stem.size());
    if (!permalink.empty()) permalink += '/';
    permalink += NoteIdOf(stem.substr(at, end - at));
    at = end + 1;
  }
  return permalink;
}

// "[x] done" and "[-]" are tasks.
bool IsTask(std::string_view item) {
  return item.size() >= 3 && item[0] == '[' && item[2] == ']' &&
         (item[1] == ' ' || item[1] == 'x' || item[1] == 'X' || item[1] == '-');
}

// The tags of an observation: words that begin with '#'. "#a#b" are two.
void AddTags(std::string_view item, std::set<std::string>* seen, std::vector<std::string>* tags) {
  if (IsTask(item)) return;
  for (size_t at = 0; at < item.size();) {
    const size_t end = std::min(item.find_first_of(" \t", at), item.size());
    std::string_view word = item.substr(at, end - at);
    at = end + 1;
    while (word.starts_with('#')) {
      word.remove_prefix(1);
      const std::string_view tag = word.substr(0, word.find('#'));
      if (!tag.empty() && seen->emplace(tag).second) tags->emplace_back(tag);
      word.remove_prefix(tag.size());
    }
  }
}

// A relation that is no name of a link: `- "based on" [[Target]] (reason)`.
std::optional<ForeignLink> OddRelation(std::string_view item) {
  const size_t open = item.find("[[");
  if (open == item.npos) return std::nullopt;
  const size_t close = item.find("]]", open);
  std::string_view type = Trim(item.substr(0, open));
  if (close == item.npos || type.empty()) return std::nullopt;
  const bool quoted = type.size() > 2 && type.front() == type.back() &&
                      (type.front() == '"' || type.front() == '\'');
  if (quoted) type = Trim(type.substr(1, type.size() - 2));
  // Without quotes, a word; other words before a link are a sentence.
  if (!quoted && type.find_first_of(" \t") != type.npos) return std::nullopt;
  if (type.empty() || IsRelationName(type)) return std::nullopt;
  const std::string_view inner = item.substr(open + 2, close - open - 2);
  ForeignLink link;
  link.target = Trim(inner.substr(0, inner.find_first_of("|#")));
  link.relation = RelationNameOf(type);
  link.reason = type;
  return link.target.empty() ? std::nullopt : std::optional(std::move(link));
}

void ReadLines(std::string_view text, ForeignNote* note) {
  std::set<std::string> tags(note->draft.tags.begin(), note->draft.tags.end());
  std::set<std::pair<std::string, std::string>> links;
  std::optional<Fence> fence;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (fence) {
      if (ClosesFence(line, *fence)) fence.reset();
      continue;
    }
    if (fence = OpenFence(line, false); fence) continue;
    const size_t marker = ListMarkerLength(line);
    if (marker == 0) continue;
    const std::string_view item = Trim(line.substr(marker));
    AddTags(item, &tags, &note->draft.tags);
    auto link = OddRelation(item);
    if (link && links.emplace(link->target, link->relation).second) {
      note->links.push_back(*std::move(link));
    }
  }
}

// The permalink; for a file of an export its id, which is its name there.
std::string ProjectNoteId(const std::string& name, CardFields* fields) {
  if (auto permalink = fields->Text({"permalink"})) return *std::move(permalink);
  const auto id = fields->Take({"id"}, [&](const Json& value) -> std::optional<std::string> {
    const bool is_name =
        value.is_string() && value.get_ref<const std::string&>() == name.substr(0, name.rfind('.'));
    return is_name ? std::optional(value.get<std::string>()) : std::nullopt;
  });
  return id.value_or(PermalinkOf(name));
}

std::optional<ForeignNote> NoteOfProjectFile(const VaultFile& file, CardFields* fields,
                                             ForeignMemory* /*memory*/) {
  ForeignNote note;
  note.id = ProjectNoteId(file.name, fields);
  note.path = ForeignNotePath(note.id);
  if (note.path != NotePathOf(note.id)) {
    note.mark = {"permalink", note.id};
  }
  note.draft = TakeDraft(fields);
  if (note.mark) note.draft.other.emplace_back("permalink", Json(note.id).dump());
  if (!note.draft.updated) note.draft.updated = fields->Time({"modified"});
  if (note.draft.type.empty()) note.draft.type = "note";
  if (note.draft.title.empty()) note.draft.title = StemOf(file.name);
  note.draft.text = Trim(WithoutSection(file.Body(), kLinksStart, kLinksEnd));
  TakeStates(fields, &note);
  // An export repeats these links for bastra-recall.
  if (!note.links.empty()) fields->Any({"related_via"});
  ReadLines(note.draft.text, &note);
  return note;
}

}  // namespace

Result<ForeignMemory> ReadBasicMemory(const std::string& directory, const ForeignOptions& options) {
  return ReadVault(directory, options, "permalink", NoteOfProjectFile);
}

}  // namespace recall
