#include "index/source/session/session_union.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace recall {
namespace {

// What is the same in two readings of a turn. Redaction by newer rules may change the text, and an
// agent may have written more of it.
using TurnKey = std::tuple<TurnRole, std::optional<UnixNanos>, std::string_view>;

TurnKey KeyOf(const Turn& turn) {
  return {turn.role, turn.at, turn.at ? std::string_view() : std::string_view(turn.text)};
}

// Whether `newer` is `older` with more text: a last turn without a time may have been read while
// its agent was writing it.
bool GoesOn(const Turn& older, const Turn& newer) {
  return !older.at && !newer.at && older.role == newer.role && newer.text.starts_with(older.text);
}

// Appends turns, each with its uses of tools.
class TurnCopier final {
 public:
  explicit TurnCopier(const SessionTurns& from) : from_(from) {
    for (size_t i = 0; i < from.tool_calls.size(); ++i) {
      calls_.emplace(from.tool_calls[i].turn, i);
    }
  }

  void Append(size_t turn, SessionTurns* to) const {
    const auto number = static_cast<uint32_t>(to->turns.size());
    to->turns.push_back(from_.turns[turn]);
    const auto [begin, end] = calls_.equal_range(static_cast<uint32_t>(turn));
    for (auto at = begin; at != end; ++at) {
      to->tool_calls.push_back(from_.tool_calls[at->second]);
      to->tool_calls.back().turn = number;
    }
  }

 private:
  const SessionTurns& from_;
  std::multimap<uint32_t, size_t> calls_;  // by turn, in order
};

}  // namespace

SessionTurns UniteTurns(const SessionTurns& older, const SessionTurns& newer) {
  std::multimap<TurnKey, size_t> known;  // the turns of `newer` that none of `older` stands for yet
  for (size_t i = 0; i < newer.turns.size(); ++i) known.emplace(KeyOf(newer.turns[i]), i);
  const TurnCopier from_older(older);
  const TurnCopier from_newer(newer);
  SessionTurns all;
  size_t next = 0;  // of `newer`
  const auto take_newer = [&](size_t end) {
    for (; next < end; ++next) from_newer.Append(next, &all);
  };
  for (size_t i = 0; i < older.turns.size(); ++i) {
    const Turn& turn = older.turns[i];
    if (const auto same = known.lower_bound(KeyOf(turn));
        same != known.end() && same->first == KeyOf(turn)) {
      take_newer(same->second + 1);
      known.erase(same);
      continue;
    }
    while (turn.at && next < newer.turns.size() && newer.turns[next].at &&
           *newer.turns[next].at < *turn.at) {
      take_newer(next + 1);
    }
    const bool is_last = i + 1 == older.turns.size();
    if (is_last && next < newer.turns.size() && GoesOn(turn, newer.turns[next])) break;
    from_older.Append(i, &all);
  }
  take_newer(newer.turns.size());
  return all;
}

}  // namespace recall
