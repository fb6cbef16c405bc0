#include "query/memory/sharing/note_versions.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "index/source/note/card_edit.h"
#include "storage/base/json_writer.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

constexpr size_t kMostPulled = 16;
constexpr size_t kConflictDigits = 12;
constexpr std::string_view kMarkdownEnd = ".md";

// A version that may stand; of the store if `version` is null.
struct Rival {
  const SharedNoteVersion* version = nullptr;
  bool is_text = true;
  std::optional<UnixNanos> changed = {};
  Digest hash{};
};

Rival RivalOf(const SharedNoteVersion& version) {
  return {&version, !version.is_removal, version.changed, version.hash};
}

bool StandsBehind(const Rival& a, const Rival& b) {
  return std::tie(a.is_text, a.changed, a.hash) < std::tie(b.is_text, b.changed, b.hash);
}

// A version that the store has had, and that was not made of what it knows: the branch is an old
// one.
bool IsOld(const SharedNoteVersion& version, const SharedNote& known,
           const std::function<bool(const Digest&)>& had_text) {
  if (version.is_removal || !had_text(version.hash)) return false;
  return std::ranges::none_of(version.replaces, [&](const Digest& id) { return known.Knows(id); });
}

// What is known once the heads were taken. Versions that were known before stay known, because
// another remote may still have them as its heads.
SharedNote KnownAfter(const std::vector<NoteVersions::Head>& heads, const SharedNote& before) {
  SharedNote after{.text = before.text, .written = before.written};
  for (const NoteVersions::Head& head : heads) after.pulled.push_back(head.id);
  for (const Digest& id : before.pulled) {
    if (after.pulled.size() >= kMostPulled) break;
    if (std::ranges::find(after.pulled, id) == after.pulled.end()) after.pulled.push_back(id);
  }
  return after;
}

void AddCopies(const std::vector<Rival>& rivals, const Rival& winner, NoteDecision* decision) {
  std::set<Digest> kept = {winner.hash};
  for (const Rival& rival : rivals) {
    if (!rival.is_text) {
      decision->edit_beats_removal |= winner.is_text;
    } else if (kept.insert(rival.hash).second) {
      if (rival.version) decision->copies.push_back(rival.version);
      decision->copies_local |= !rival.version;
    }
  }
}

}  // namespace

void NoteVersions::Add(SharedNoteVersion version) {
  const Digest id = version.Id();
  for (const Digest& older : version.replaces) {
    replaced_.insert(older);
    const auto found = versions_.find(older);
    if (found != versions_.end()) found->second.text = std::string();
  }
  if (replaced_.contains(id)) version.text.clear();
  const auto [place, is_new] = versions_.try_emplace(id, std::move(version));
  // The time of a document is not part of its version: the later one, whichever comes first.
  if (!is_new && version.mtime > place->second.mtime) {
    place->second.mtime = version.mtime;
    place->second.changed = std::max(place->second.changed, version.changed);
  }
}

std::vector<NoteVersions::Head> NoteVersions::Heads() const {
  std::vector<Head> heads;
  for (const auto& [id, version] : versions_) {
    if (!replaced_.contains(id)) heads.push_back({id, &version});
  }
  return heads;
}

bool NoteVersions::HasText(const Digest& text, const SharedNote& known) const {
  std::optional<std::set<Digest>> older;
  for (const auto& [id, version] : versions_) {
    if (version.is_removal || version.hash != text) continue;
    if (!older) older = Older(known);
    if (!older->contains(id)) return true;
  }
  return false;
}

bool NoteVersions::IsConnected(const SharedNote& known) const {
  return std::ranges::any_of(versions_, [&](const auto& entry) {
    return known.Knows(entry.first) ||
           std::ranges::any_of(entry.second.replaces,
                               [&](const Digest& id) { return known.Knows(id); });
  });
}

// The versions that those of `known` were made of.
std::set<Digest> NoteVersions::Older(const SharedNote& known) const {
  std::set<Digest> older;
  std::vector<Digest> next = known.pulled;
  next.insert(next.end(), known.written.begin(), known.written.end());
  while (!next.empty()) {
    const auto version = versions_.find(next.back());
    next.pop_back();
    if (version == versions_.end()) continue;
    for (const Digest& id : version->second.replaces) {
      if (older.insert(id).second) next.push_back(id);
    }
  }
  return older;
}

NoteDecision DecideNote(const NoteVersions& history, const std::optional<LocalNote>& local,
                        const SharedNote& known,
                        const std::function<bool(const Digest& text)>& had_text) {
  NoteDecision decision;
  const std::vector<NoteVersions::Head> heads = history.Heads();
  std::vector<Rival> unknown;
  std::vector<Rival> all;
  for (const NoteVersions::Head& head : heads) {
    all.push_back(RivalOf(*head.version));
    if (!known.Knows(head.id)) unknown.push_back(all.back());
  }
  if (unknown.empty()) return decision;
  const bool was_known = known != SharedNote();
  const bool in_step = local && (history.HasText(local->hash, known) ||
                                 (known.text == local->hash && history.IsConnected(known)));
  // An edit of this store, or a removal, is a head that replaces all that was known here.
  const bool is_head = local ? !in_step : was_known;
  std::vector<Rival> rivals = all;
  if (is_head) {
    rivals = std::move(unknown);
    std::erase_if(rivals, [&](const Rival& r) { return IsOld(*r.version, known, had_text); });
    if (local) rivals.push_back({nullptr, true, local->changed, local->hash});
  }
  decision.known = KnownAfter(heads, known);
  if (rivals.empty()) return decision;
  const Rival winner = *std::ranges::max_element(rivals, StandsBehind);
  AddCopies(rivals, winner, &decision);
  if (!winner.is_text) {
    decision.known->text.reset();
    if (local) decision.kind = NoteDecision::Kind::kRemove;
    return decision;
  }
  if (!winner.version) return decision;
  decision.known->text = winner.hash;
  if (local && local->hash == winner.hash) return decision;
  decision.kind = NoteDecision::Kind::kTake;
  decision.taken = winner.version;
  return decision;
}

std::string ConflictPathOf(const std::string& path, const Digest& hash) {
  const std::string stem = path.substr(0, path.size() - kMarkdownEnd.size());
  return stem + ".conflict-" + ToHex(hash).substr(0, kConflictDigits) + std::string(kMarkdownEnd);
}

std::string ConflictTextOf(const std::string& path, const std::string& text) {
  std::string quoted;
  JsonWriter(&quoted).String(path);
  const std::string marked = WithCardValue(text, "status", kConflictStatus);
  return WithCardValue(marked, "superseded_by", quoted);
}

}  // namespace recall
