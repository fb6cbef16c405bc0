#pragma once

#include <string_view>

#include "index/source/session/session_meta.h"
#include "index/source/session/session_text.h"

namespace recall {

// A session as it is, or is to be, in a store.
struct SessionVersion {
  SessionTurns turns;
  SessionMeta meta;
};

// Reads a version from its document. `meta`: of the document; "" if it has none.
SessionVersion ReadSessionVersion(std::string_view text, std::string_view meta);

// What two versions of one session say together. The outcome does not depend on their order, and
// uniting it with one of them again changes nothing, so stores that exchange versions in any order
// come to the same one.
SessionVersion UniteVersions(const SessionVersion& a, const SessionVersion& b);

}  // namespace recall
