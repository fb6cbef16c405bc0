#pragma once

// newlocale and uselocale of POSIX, which macOS has in a header of their own.

#include <locale.h>

#if __has_include(<xlocale.h>)
#include <xlocale.h>
#endif
