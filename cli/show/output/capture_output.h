#pragma once

#include <string>

#include "query/types/session_types.h"
#include "storage/base/json_writer.h"

namespace recall {

void WriteFields(const CaptureReport& report, bool dry_run, JsonWriter& json);
// What a capture has done, in one or a few lines, with their newlines.
std::string FormatCaptureReport(const CaptureReport& report, bool dry_run);

}  // namespace recall
