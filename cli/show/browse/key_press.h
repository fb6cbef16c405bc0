#pragma once

#include <string>

namespace recall {

enum class Key {
  kText,  // KeyPress::text
  kEnter,
  kEscape,
  kBackspace,
  kDelete,
  kDeleteWord,
  kDeleteToStart,
  kDeleteToEnd,
  kLeft,
  kRight,
  kHome,
  kEnd,
  kUp,
  kDown,
  kPreviousHit,  // as kUp, but never the history
  kNextHit,
  kPageUp,
  kPageDown,
  kPreviewUp,
  kPreviewDown,
  kPreviousTurn,  // of a session
  kNextTurn,
  kExplain,
  kFilter,
  kHistory,
  kLinks,
  kView,
  kReview,
  kHelp,
  kCite,
  kMark,    // and go to the next hit
  kMarkUp,  // and go to the one before
  kMarkAll,
  kOpenAll,
  kCopy,
  kOutline,
  kNewNote,
  kEditNote,
  kLeave,
};

struct KeyPress {
  Key key = Key::kText;
  std::string text = {};
};

}  // namespace recall
