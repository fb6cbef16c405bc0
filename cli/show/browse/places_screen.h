#pragma once

#include "cli/show/browse/places_state.h"
#include "cli/show/browse/screen_rows.h"
#include "query/types/get_types.h"

namespace recall {

// Definitions of a file, or places that use one, with a preview of the chosen one. `document`: that
// of the chosen place, or another one or null if it is not known.
Screen DrawPlaces(const PlacesPage& page, const GetResponse* document, const WindowSize& size,
                  const TextStyle& style);

}  // namespace recall
