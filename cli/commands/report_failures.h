#pragma once

#include <cstdint>
#include <optional>

#include "cli/show/terminal/exit_code.h"
#include "query/database/database.h"

namespace recall {

// The failure that the exit code of a command reports although there is an answer; nothing if all
// went well.

// An incomplete add. `lines`: of documents in lines, where a failure is a usage error, because the
// contents are invalid; a failed file is an environment error. `max_skipped`: more skipped ones are
// a failure; unset: any number may be skipped.
std::optional<Failure> FailureOfAdd(const AddReport& report, bool lines,
                                    std::optional<int64_t> max_skipped);
// The same for lines that a program has in memory. The message has the reason of the first failure,
// because no warnings are printed.
std::optional<Failure> FailureOfGivenLines(const AddReport& report,
                                           std::optional<int64_t> max_skipped);
// An incomplete capture.
std::optional<Failure> FailureOfCapture(const CaptureReport& report);
// Damage that was not repaired.
std::optional<Failure> FailureOfDoctor(const DoctorReport& report);

}  // namespace recall
