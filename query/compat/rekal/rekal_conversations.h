#pragma once

// Makes conversations of what rekal has recorded.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "query/compat/rekal/rekal_records.h"
#include "storage/base/ids.h"

namespace recall {

// A conversation, recorded once or more.
struct RekalConversation {
  std::vector<std::string> ids;    // under which it was recorded, the first one first
  RekalSession longest;            // of the recordings
  std::optional<UnixNanos> begin;  // of the first turn, at the latest; if seconds are known
  std::optional<UnixNanos> whole;  // when a recording had all of its turns for the first time
  std::map<std::string, std::optional<UnixNanos>> commits;  // by id; when the checkpoint was
  std::string last_commit;                                  // of them; "": there are none
  std::vector<std::string> commit_files;                    // sorted, unique
};

// Recordings of one author of which one begins with all turns of the other are of one conversation.
// Two of the same id that do not are conversations of their own, with the same first id. The
// outcome depends on the order in which recordings are added; adding more at the end keeps the
// first ids.
class RekalConversations final {
 public:
  void Add(RekalSession session);
  void Add(RekalCheckpoint checkpoint);

  // The memory of what was added, about.
  size_t bytes() const { return bytes_; }
  int64_t recordings() const { return recordings_; }
  int64_t without_turns() const { return without_turns_; }

  // With commits and parents. The object is empty then.
  std::vector<RekalConversation> Finish();

 private:
  struct Growing {
    RekalConversation conversation;
    std::vector<Digest> prefixes;  // of the longest recording: of its first turn, of two, ...
  };
  std::optional<size_t> Find(const std::string& id, const std::vector<Digest>& prefixes) const;

  std::vector<Growing> all_;
  std::map<std::string, size_t> by_id_;
  std::map<Digest, size_t> by_prefix_;
  std::vector<RekalCheckpoint> checkpoints_;
  size_t bytes_ = 0;
  int64_t recordings_ = 0;
  int64_t without_turns_ = 0;
};

// The times of its turns, as far as they are known: the recordings tell the seconds between turns,
// and when each was made, which was not before its last turn. Without such seconds nothing is
// known.
std::vector<std::optional<UnixNanos>> TurnTimes(const RekalConversation& conversation);

// When its last turn was, at the latest.
std::optional<UnixNanos> EndOf(const RekalConversation& conversation);

// The files that tools named: from the root of the repository, as far as the files of its commits
// tell what the root is. In the order of the calls.
std::vector<std::string> NamedFiles(const RekalConversation& conversation);

}  // namespace recall
