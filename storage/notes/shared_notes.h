#pragma once

// What a store knows of its notes on the branch that carries them to other machines
// (docs/format/session-branch.md): rows of the table `meta` that older programs ignore. Without
// them a note that was removed here could not be told from one that has not come yet, nor an edit
// from an old version.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/ids.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

struct SharedNote {
  std::optional<Digest> text = {};   // SHA-256 of the text that the last pull left here
  std::vector<Digest> pulled = {};   // the versions that were the newest when it was pulled
  std::vector<Digest> written = {};  // those that this store has written since, oldest first

  bool Knows(const Digest& version) const;
  // Adds a version that this store has written; the oldest of many are dropped.
  void Write(const Digest& version);

  bool operator==(const SharedNote&) const = default;
};

// By the path of the note, which may have been removed. Rows that cannot be read are left out.
Result<std::map<std::string, SharedNote>> ReadSharedNotes(Connection& connection);
// Records it, in the open write transaction.
Status WriteSharedNote(Connection& connection, std::string_view path, const SharedNote& note);

}  // namespace recall
