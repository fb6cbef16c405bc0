#pragma once

// Reports of notes, links, uses and reviews in JSON (docs/json.md).

#include <string>

#include "query/types/note_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// The title on the card of a note; "" without one.
std::string TitleOf(const DocView& doc);

void WriteFields(const SaveReport& report, bool dry_run, JsonWriter& json);
void WriteFields(const LinkReport& report, bool dry_run, JsonWriter& json);
void WriteFields(const UnlinkReport& report, bool dry_run, JsonWriter& json);
void WriteFields(const LinksReport& report, bool central, JsonWriter& json);
void WriteFields(const UseReport& report, JsonWriter& json);
void WriteFields(const ReviewReport& report, JsonWriter& json);
void WriteFields(const DueReport& report, JsonWriter& json);
void WriteFields(const RetireReport& report, bool dry_run, JsonWriter& json);
void WriteFields(const StaleReport& report, JsonWriter& json);

}  // namespace recall
