#pragma once

namespace recall {

// BuildInfo::version, in static storage, for callers that must not fail.
const char* BuildVersion() noexcept;

}  // namespace recall
