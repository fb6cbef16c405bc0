#pragma once

#include <gumbo.h>

namespace recall {

// The functions of libgumbo that are used. It is loaded when the first page is read: linking it
// would slow every start of the program (docs/decisions/0006-start-up.md).
struct GumboLibrary {
  decltype(&gumbo_parse_with_options) parse_with_options;
  decltype(&gumbo_get_attribute) get_attribute;
  const GumboOptions* default_options;

  // Returns: the library, which is never unloaded; null if it is not installed. Thread-safe.
  static const GumboLibrary* Get();
};

}  // namespace recall
