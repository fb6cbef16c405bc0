#pragma once

// Scenarios of notes: what is saved, linked, used, reviewed, retired, imported and repaired.

#include <vector>

#include "tests/fault/scenario.h"

namespace recall {

std::vector<Scenario> NoteScenarios();

// Makes a store with three notes and a file, links between them, uses and reviews.
Status PrepareNotes(const ScenarioPlace& place);

}  // namespace recall
