#pragma once

#include "query/sessions/session_documents.h"

namespace recall {

// What two versions of one session say together. The outcome does not depend on their order, and
// uniting it with one of them again changes nothing, so stores that exchange versions in any order
// come to the same one.
SessionVersion UniteVersions(const SessionVersion& a, const SessionVersion& b);

}  // namespace recall
