#pragma once

// What systems do differently stands behind small headers, each with two sources:
//
//   NAME_linux.cc   linux_form   uses calls that only Linux has
//   NAME_posix.cc   posix_form   needs no more than POSIX has; docs/portability.md: what it loses
//
// `system_form` is the one that the program uses. The build chooses it (cmake/RecallForms.cmake);
// whoever includes such a header does not know which one it is. Both are compiled on Linux, so that
// tests compare them there; with the option RECALL_POSIX_FORMS only the second one is. A header has
// its comments at the second.

namespace recall {

namespace linux_form {}
namespace posix_form {}

#ifdef RECALL_LINUX_FORMS
namespace system_form = linux_form;
#else
namespace system_form = posix_form;
#endif

}  // namespace recall
