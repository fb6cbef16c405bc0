#pragma once

#include <memory>

#include "cli/show/browse/links_state.h"
#include "cli/show/browse/screen_rows.h"
#include "query/types/get_types.h"

namespace recall {

// The links of a document, with a preview of the chosen one. `document`: the chosen document, or
// another one or null if it is not known.
Screen DrawLinks(const LinksPage& page, const GetResponse* document, const WindowSize& size,
                 const TextStyle& style);

}  // namespace recall
