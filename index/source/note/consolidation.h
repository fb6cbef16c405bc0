#pragma once

#include <cstdint>
#include <optional>

#include "storage/base/clock.h"

namespace recall {

// How well a note has settled, from 0 to 1: 0.6 frequency + 0.4 freshness, where
//   frequency = min(1, ln(uses + 1) / 5)
//   freshness = e^(-days / 30)    with whole days since the last use; without any, since `created`
// The rule is that of an older memory program (docs/memory-import.md), except that it is computed
// as of a time, not stored. Unset if there is neither a use nor a time of creation.
std::optional<double> Consolidation(int64_t uses, std::optional<UnixNanos> used_at,
                                    std::optional<UnixNanos> created, UnixNanos as_of);

}  // namespace recall
