#pragma once

#include "query/types/add_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// Writes the counts and the lists of an add, but not its warnings, into an object that was begun.
void WriteFields(const AddReport& report, JsonWriter& json);

}  // namespace recall
