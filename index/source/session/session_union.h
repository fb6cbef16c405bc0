#pragma once

#include "index/source/session/session_text.h"

namespace recall {

// What two readings of one session say together. A turn is the same in both if its role and time
// are (without a time: its role and text); then that of `newer` stands, with its uses of tools. The
// others of `older` are kept, in the order of time: an agent may have shortened its transcript, and
// nothing that was said is lost. If one reading goes on where the other one ends, also within its
// last turn, it is the result.
SessionTurns UniteTurns(const SessionTurns& older, const SessionTurns& newer);

}  // namespace recall
