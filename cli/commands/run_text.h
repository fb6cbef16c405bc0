#pragma once

#include <string>

#include "cli/setup/runs/run_record.h"
#include "storage/base/json_writer.h"

namespace recall {

// Writes the members of a run into an object that was begun.
void WriteFields(const RunRecord& run, JsonWriter& json);

// "  add       0.8 s  added 3, unchanged 410", a line. `stable`: without the time.
std::string FormatJob(const JobRecord& job, bool stable);
// A line that says when the run began, how long it took and how it ended, and one for each job.
std::string FormatRun(const RunRecord& run, bool stable);

}  // namespace recall
