#pragma once

#include <string_view>

#include "index/source/extract/html/filtered_html.h"

namespace recall {

// In the filtered page `<a>` is `<q>`, and `<q>` of the page is left out: gumbo and the HTML
// standard treat `<a>` as a formatting element, which may be closed in another place than its
// parent.
//
// `text`: UTF-8 without NUL and U+F8F3, which must outlive the result. At most `max_depth` elements
// contain each other; of deeper ones only their texts are kept. Linear in the size of `text`.
FilteredHtml FilterHtml(std::string_view text, int max_depth);

}  // namespace recall
