# Calls that only some systems have stand in sources of their own, one for each form of the same header:
# NAME_linux.cc, NAME_posix.cc (storage/base/system_form.h, docs/portability.md). recall_library leaves
# the sources out whose paths match RECALL_OTHER_FORMS.
option(RECALL_POSIX_FORMS "Build the forms that need POSIX alone, as for a system that is not Linux" OFF)
include(CheckCXXSymbolExists)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT RECALL_POSIX_FORMS)
  # musl 1.2.4 has neither.
  check_cxx_symbol_exists(renameat2 stdio.h RECALL_HAS_RENAMEAT2)
  check_cxx_symbol_exists(close_range unistd.h RECALL_HAS_CLOSE_RANGE)
endif()
if(RECALL_HAS_RENAMEAT2 AND RECALL_HAS_CLOSE_RANGE AND NOT RECALL_POSIX_FORMS)
  set(RECALL_LINUX_FORMS ON)
  target_compile_definitions(recall_flags INTERFACE RECALL_LINUX_FORMS)
else()
  set(RECALL_LINUX_FORMS OFF)
  if(NOT RECALL_POSIX_FORMS)
    message(WARNING "The forms of calls that need POSIX alone are built, so there is no sandbox (docs/portability.md)")
  endif()
endif()

# These two have no POSIX form that does the same: they are chosen by what the C library has.
check_cxx_symbol_exists(malloc_trim malloc.h RECALL_HAS_MALLOC_TRIM)
check_cxx_symbol_exists(getpeereid "sys/types.h;unistd.h" RECALL_HAS_GETPEEREID)

set(RECALL_OTHER_FORMS)
if(NOT RECALL_LINUX_FORMS)
  list(APPEND RECALL_OTHER_FORMS "_linux[.]cc$")
endif()
if(RECALL_HAS_MALLOC_TRIM AND NOT RECALL_POSIX_FORMS)
  list(APPEND RECALL_OTHER_FORMS "/heap_posix[.]cc$")
else()
  list(APPEND RECALL_OTHER_FORMS "/heap_glibc[.]cc$")
endif()
if(RECALL_HAS_GETPEEREID)
  list(APPEND RECALL_OTHER_FORMS "/socket_peer_option[.]cc$")
else()
  list(APPEND RECALL_OTHER_FORMS "/socket_peer_call[.]cc$")
endif()
list(JOIN RECALL_OTHER_FORMS "|" RECALL_OTHER_FORMS)
