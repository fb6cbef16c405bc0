#pragma once

#include <cstdint>
#include <optional>

namespace recall {

class Connection;

struct WalState {
  uint32_t frames = 0;  // pages that the last commit left in the WAL
  uint32_t copied = 0;  // of them, how many the main file has
  bool all_copied() const { return copied >= frames; }
};

// What the index of the WAL says just now: one look into the memory that all connections share
// (https://sqlite.org/walformat.html, section 2). Nothing where the connection uses no WAL, or the
// index is being changed.
std::optional<WalState> ReadWalState(Connection& connection);

}  // namespace recall
