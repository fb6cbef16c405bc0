// Problem. rekal records a session that goes on at each commit: whole, and, before it learned
// better, each time under a new id. One conversation of 80 turns may be there twenty times.
//
// Idea. The digest of the first n turns is that of the first n - 1 turns and the text of turn n.
// All prefixes of all conversations are in one map. A recording whose last prefix is in the map is
// the beginning of a conversation that is known. Otherwise the longest prefix in the map that is a
// whole conversation is what it goes on with.
//
// Invariant. No recording is lost: each is the beginning of the longest one of its conversation.
//
// Cost: one digest a turn, and the memory of the longest recordings.

#include "query/compat/rekal/rekal_conversations.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "storage/base/bytes.h"

namespace recall {
namespace {

constexpr UnixNanos kSecondOfTurns = 1'000'000'000;
// What the turns of a session can take together; more is no duration.
constexpr uint64_t kMostSeconds = uint64_t{10} * 366 * 86'400;

// Of the first turn, of the first two, and so on. Two recordings by different authors differ.
std::vector<Digest> PrefixesOf(const RekalSession& session) {
  std::vector<Digest> prefixes;
  Digest digest = Sha256(session.author);
  for (const RekalTurn& turn : session.turns) {
    Sha256Stream stream;
    stream.Add(digest);
    stream.Add(AsBytes(turn.text));
    digest = stream.Finish();
    prefixes.push_back(digest);
  }
  return prefixes;
}

// Between the first and the last turn; nothing if it is not known. All are 0 in recordings of
// versions of rekal that could not read the times in their own database.
std::optional<uint64_t> SecondsOf(const RekalSession& session) {
  uint64_t sum = 0;
  for (const RekalTurn& turn : session.turns) {
    if (turn.seconds > kMostSeconds) return std::nullopt;
    sum += turn.seconds;
    if (sum > kMostSeconds) return std::nullopt;
  }
  if (sum == 0) return std::nullopt;
  return sum;
}

// When the first turn was at the latest, as a recording says.
std::optional<UnixNanos> BeginOf(const RekalSession& session) {
  const auto seconds = SecondsOf(session);
  if (!session.parsed_at || !seconds) return std::nullopt;
  return *session.parsed_at - static_cast<UnixNanos>(*seconds) * kSecondOfTurns;
}

// Whether a text can be the id of a commit, or its beginning.
bool IsCommitId(std::string_view text) {
  return text.size() >= 4 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

size_t MemoryOf(const RekalSession& session) {
  size_t bytes = sizeof(RekalSession);
  for (const RekalTurn& turn : session.turns) bytes += sizeof(RekalTurn) + 128 + turn.text.size();
  for (const RekalCall& call : session.calls) {
    bytes += sizeof(RekalCall) + call.path.size() + call.command.size();
  }
  return bytes;
}

// Takes the recording if it is the longest one.
void Unite(RekalSession session, RekalConversation* conversation) {
  std::vector<std::string>& ids = conversation->ids;
  if (std::ranges::find(ids, session.id) == ids.end()) ids.push_back(session.id);
  const auto begin = BeginOf(session);
  if (begin && (!conversation->begin || *begin < *conversation->begin)) {
    conversation->begin = begin;
  }
  RekalSession& longest = conversation->longest;
  if (session.turns.size() < longest.turns.size()) return;
  std::optional<UnixNanos>& whole = conversation->whole;
  const bool is_earlier = session.parsed_at && (!whole || *session.parsed_at < *whole);
  if (session.turns.size() > longest.turns.size() || is_earlier) whole = session.parsed_at;
  const bool is_longer =
      session.turns.size() > longest.turns.size() || session.calls.size() > longest.calls.size();
  if (is_longer || session.parsed_at > longest.parsed_at) longest = std::move(session);
}

}  // namespace

std::optional<size_t> RekalConversations::Find(const std::string& id,
                                               const std::vector<Digest>& prefixes) const {
  const auto belongs = [&](size_t at) {
    const std::vector<Digest>& known = all_[at].prefixes;
    const size_t common = std::min(known.size(), prefixes.size());
    return known[common - 1] == prefixes[common - 1];
  };
  const auto same_id = by_id_.find(id);
  if (same_id != by_id_.end() && belongs(same_id->second)) return same_id->second;
  for (size_t count = prefixes.size(); count > 0; --count) {
    const auto found = by_prefix_.find(prefixes[count - 1]);
    if (found != by_prefix_.end() && belongs(found->second)) return found->second;
  }
  return std::nullopt;
}

void RekalConversations::Add(RekalSession session) {
  ++recordings_;
  std::erase_if(session.turns, [](const RekalTurn& turn) { return turn.text.empty(); });
  if (session.turns.empty()) {
    ++without_turns_;
    return;
  }
  std::vector<Digest> prefixes = PrefixesOf(session);
  const std::string id = session.id;
  const auto found = Find(id, prefixes);
  const size_t at = found.value_or(all_.size());
  if (!found) all_.emplace_back();
  Growing& growing = all_[at];
  const bool grows = prefixes.size() > growing.prefixes.size();
  if (grows) {
    bytes_ += MemoryOf(session);
    if (found) bytes_ -= std::min(bytes_, MemoryOf(growing.conversation.longest));
    for (const Digest& prefix : prefixes) by_prefix_.try_emplace(prefix, at);
    growing.prefixes = std::move(prefixes);
  }
  by_id_.try_emplace(id, at);
  Unite(std::move(session), &growing.conversation);
}

void RekalConversations::Add(RekalCheckpoint checkpoint) {
  for (const std::string& file : checkpoint.files) bytes_ += sizeof(file) + file.size();
  for (const std::string& id : checkpoint.sessions) bytes_ += sizeof(id) + id.size();
  checkpoints_.push_back(std::move(checkpoint));
}

std::vector<RekalConversation> RekalConversations::Finish() {
  std::vector<std::set<std::string>> files(all_.size());
  for (const RekalCheckpoint& checkpoint : checkpoints_) {
    for (const std::string& id : checkpoint.sessions) {
      const auto found = by_id_.find(id);
      if (found == by_id_.end() || !IsCommitId(checkpoint.sha)) continue;
      RekalConversation& conversation = all_[found->second].conversation;
      auto& at = conversation.commits.try_emplace(checkpoint.sha, checkpoint.at).first->second;
      at = std::max(at, checkpoint.at);
      const bool is_last = conversation.last_commit.empty() ||
                           at >= conversation.commits.at(conversation.last_commit);
      if (is_last) conversation.last_commit = checkpoint.sha;
      files[found->second].insert(checkpoint.files.begin(), checkpoint.files.end());
    }
  }
  for (Growing& growing : all_) {
    const auto parent = by_id_.find(growing.conversation.longest.parent);
    if (parent == by_id_.end()) continue;
    growing.conversation.longest.parent = all_[parent->second].conversation.ids.front();
  }
  std::vector<RekalConversation> conversations;
  for (size_t i = 0; i < all_.size(); ++i) {
    conversations.push_back(std::move(all_[i].conversation));
    conversations.back().commit_files.assign(files[i].begin(), files[i].end());
  }
  *this = RekalConversations();
  return conversations;
}

std::vector<std::optional<UnixNanos>> TurnTimes(const RekalConversation& conversation) {
  const std::vector<RekalTurn>& turns = conversation.longest.turns;
  std::vector<std::optional<UnixNanos>> times(turns.size());
  std::optional<UnixNanos> now = conversation.begin;
  if (!SecondsOf(conversation.longest)) now.reset();
  for (size_t i = 0; i < turns.size(); ++i) {
    if (now && i > 0) *now += static_cast<UnixNanos>(turns[i].seconds) * kSecondOfTurns;
    times[i] = turns[i].at ? turns[i].at : now;
  }
  return times;
}

std::optional<UnixNanos> EndOf(const RekalConversation& conversation) {
  const auto seconds = SecondsOf(conversation.longest);
  if (!conversation.begin || !seconds) return conversation.whole;
  return *conversation.begin + static_cast<UnixNanos>(*seconds) * kSecondOfTurns;
}

std::vector<std::string> NamedFiles(const RekalConversation& conversation) {
  // Each file of a commit that is the end of an absolute path votes for the directory before it.
  const std::set<std::string_view> changed(conversation.commit_files.begin(),
                                           conversation.commit_files.end());
  std::map<std::string_view, int64_t> votes;
  std::set<std::string_view> paths;
  for (const RekalCall& call : conversation.longest.calls) {
    const std::string_view path = call.path;
    if (!path.starts_with('/') || !paths.insert(path).second) continue;
    for (size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1)) {
      if (changed.contains(path.substr(slash + 1))) ++votes[path.substr(0, slash + 1)];
    }
  }
  // Of directories with as many votes, the one that contains the others.
  std::string_view root;
  int64_t most = 0;
  for (const auto& [directory, count] : votes) {
    const bool better = count > most || (count == most && directory.size() < root.size());
    if (better) root = directory;
    most = std::max(most, count);
  }
  std::vector<std::string> files;
  for (const RekalCall& call : conversation.longest.calls) {
    if (call.path.empty()) continue;
    const bool inside = !root.empty() && call.path.starts_with(root);
    files.push_back(inside ? call.path.substr(root.size()) : call.path);
  }
  return files;
}

}  // namespace recall
