// Plans an import: which note goes to which path, and what its links mean.
//
// Problem. Other programs name notes by ids, titles or permalinks; here a path names them. Two
// notes may have the same title, a path may be taken by another note, and a link may precede its
// target. An import that is repeated must find what it wrote before.
//
// Idea. Notes whose path identifies them come first. A note with a mark goes to the note in the
// store that has the mark on its card, or else to the first free path. When all paths are known,
// the names are resolved: among the notes of the import by id, path, and title, in this order; then
// in the store.
//
// Invariants. No two notes have the same path. The plan depends on the memory and the store only,
// not on the order of the source: notes are in the order of their ids.
//
// Cost: O(n log n) and a look-up in the store for each path that is tried.

#include "query/compat/memories/import_plan.h"

#include <algorithm>
#include <set>

namespace recall {
namespace {

constexpr std::string_view kNotes = "notes/";
constexpr std::string_view kSuffix = ".md";

// "notes/a.md", 2 -> "notes/a-2.md"
std::string Numbered(const std::string& path, int number) {
  if (number == 1) return path;
  const bool suffixed = path.ends_with(kSuffix);
  const std::string stem = path.substr(0, path.size() - (suffixed ? kSuffix.size() : 0));
  return stem + "-" + std::to_string(number) + (suffixed ? std::string(kSuffix) : "");
}

// "notes/a.md" -> "a"; other paths stay.
std::string IdOfPath(std::string_view path) {
  if (!path.starts_with(kNotes) || !path.ends_with(kSuffix)) return std::string(path);
  path.remove_prefix(kNotes.size());
  return std::string(path.substr(0, path.size() - kSuffix.size()));
}

std::string_view FolderOf(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

}  // namespace

Result<ImportPlan> ImportPlan::Make(ForeignMemory memory, const StoredNotes& stored) {
  ImportPlan plan;
  std::vector<ForeignNote>& notes = memory.notes;
  RECALL_TRY(plan.AssignPaths(notes, stored));
  plan.AddNames(notes);
  for (ForeignNote& note : notes) {
    PlacedNote planned;
    planned.path = note.path;
    if (note.draft.superseded_by) {
      const auto id = plan.IdFor(*note.draft.superseded_by);
      if (id) note.draft.superseded_by = id;
    }
    for (std::string& name : note.draft.related) {
      const bool known_id = plan.by_id_.contains(name);
      if (known_id) name = plan.IdFor(name).value_or(name);
    }
    std::set<std::tuple<std::string, std::string, bool>> known;
    for (ForeignLink& link : note.links) {
      RECALL_ASSIGN(link.target, plan.TargetOf(note.path, link, stored));
      link.is_path = true;
      const bool is_new = known.emplace(link.target, link.relation, link.near).second;
      if (is_new && link.target != note.path) planned.links.push_back(std::move(link));
    }
    planned.markdown = PrintNote(note.draft);
    planned.time = note.draft.updated ? note.draft.updated : note.draft.created;
    planned.uses = note.uses;
    planned.review = std::move(note.review);
    plan.notes_.push_back(std::move(planned));
    note.draft = {};
  }
  std::ranges::sort(plan.notes_, {}, &PlacedNote::path);
  return plan;
}

Status ImportPlan::AssignPaths(std::vector<ForeignNote>& notes, const StoredNotes& stored) {
  std::ranges::stable_partition(notes, [](const ForeignNote& note) { return !note.mark; });
  // Notes that are in the store keep their places, whatever comes before them.
  for (size_t i = 0; i < notes.size(); ++i) {
    if (!notes[i].mark) continue;
    const auto known = stored.by_mark.find(*notes[i].mark);
    if (known == stored.by_mark.end()) continue;
    notes[i].path = known->second;
    by_path_.emplace(notes[i].path, i);
  }
  for (size_t i = 0; i < notes.size(); ++i) {
    ForeignNote& note = notes[i];
    if (note.mark && stored.by_mark.contains(*note.mark)) continue;
    for (int number = 1;; ++number) {
      std::string path = Numbered(note.path, number);
      if (by_path_.contains(path)) continue;
      bool free = !note.mark;
      if (!free) {
        RECALL_ASSIGN(const bool taken, stored.is_live(path));
        free = !taken;
      }
      if (!free) continue;
      note.path = path;
      by_path_.emplace(std::move(path), i);
      break;
    }
  }
  return Status::Ok();
}

void ImportPlan::AddNames(const std::vector<ForeignNote>& notes) {
  for (const ForeignNote& note : notes) {
    by_id_.emplace(note.id, note.path);
    by_title_.emplace(note.draft.title, note.path);
  }
}

// The order is that of the links of a text (index/write/local/link_targets.h), behind ids.
std::optional<std::string> ImportPlan::Find(std::string_view path, std::string_view name) const {
  if (const auto found = by_id_.find(name); found != by_id_.end()) return found->second;
  const std::string folder(FolderOf(path));
  const std::string own(name);
  const std::string id = NoteIdOf(name);
  for (const std::string& candidate : {own, own + ".md", folder + own, folder + own + ".md",
                                       folder + id + ".md", NotePathOf(id)}) {
    if (by_path_.contains(candidate)) return candidate;
  }
  const auto found = by_title_.find(name);
  return found == by_title_.end() ? std::nullopt : std::optional(found->second);
}

Result<std::string> ImportPlan::TargetOf(const std::string& path, const ForeignLink& link,
                                         const StoredNotes& stored) const {
  if (link.is_path) return link.target;
  if (auto found = Find(path, link.target)) return *std::move(found);
  const std::string by_id = ForeignNotePath(link.target);
  for (const std::string& candidate : {by_id, NotePathOf(NoteIdOf(link.target))}) {
    RECALL_ASSIGN(const bool live, stored.is_live(candidate));
    if (live) return candidate;
  }
  return by_id;
}

std::optional<std::string> ImportPlan::IdFor(const std::string& name) const {
  const auto found = by_id_.find(name);
  return found == by_id_.end() ? std::nullopt : std::optional(IdOfPath(found->second));
}

std::vector<TextLink> ImportPlan::Resolve(const std::string& path,
                                          std::vector<TextLink> links) const {
  for (TextLink& link : links) {
    if (auto found = Find(path, link.target)) link.target = *std::move(found);
  }
  return links;
}

}  // namespace recall
