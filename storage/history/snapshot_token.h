#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/tables/store_facts.h"

namespace recall {

class Connection;

// Tokens are the names of commits for users:
//
//   49542b67-7        the first 8 digits of the store's UUID, "-", the number of the commit
//   49542b67-7-1a2b   the same, and the mark of the commit, as 4 hexadecimal digits
//
// A server that lost commits, because a standby took over without them, gives their numbers to
// later ones. The mark tells the two apart, so the tokens of stores on servers have it. It is
// optional where a token is read.
struct CommitName {
  int64_t sequence = 0;
  std::optional<uint16_t> mark = {};
};

// 16 bits that depend on the time of the commit.
uint16_t CommitMark(UnixNanos committed_at);

std::string MakeSnapshotToken(std::string_view uuid, const CommitName& name);
inline std::string MakeSnapshotToken(std::string_view uuid, const StoreCounts& counts) {
  return MakeSnapshotToken(uuid, CommitName{counts.commit_sequence, counts.commit_mark});
}

// Returns nothing if the text is not a token of the store with this UUID.
std::optional<CommitName> ParseSnapshotToken(std::string_view uuid, std::string_view token);

// Whether two tokens may name the same commit: the numbers are equal, and the marks where both
// have one.
bool NamesSameCommit(std::string_view token, std::string_view other);

// The token of the present commit, or "" if the table `meta` of a damaged store does not contain
// it. Errors: NotEnoughMemory.
Result<std::string> PresentToken(Connection& connection);

}  // namespace recall
