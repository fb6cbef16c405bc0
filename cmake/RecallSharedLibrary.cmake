# librecall.so, the extension for SQLite (below), and what a program needs to be built with the library: recall.h,
# recall(3), recall.pc for pkg-config, and a package of CMake with the target recall::recall. Only the functions of
# recall.h are exported, with the version RECALL_1 of cli/library/recall.map; the C++ library is in it, so that it gets
# along with another one in the program (docs/decisions/0092-c-api.md).
#
# With RECALL_PORTABLE the library needs glibc alone (cmake/RecallPortable.cmake, docs/decisions/0096-portable-library.md),
# and is not installed with the program, but as the component `library`.
if(RECALL_PREFER_STATIC AND NOT RECALL_PORTABLE)
  # The archives of Debian 12 are not position independent, and only RecallPortable.cmake knows what to do about it.
  message(FATAL_ERROR "RECALL_LIBRARY needs the shared libraries of the system or RECALL_PORTABLE: "
    "see the presets library and portable")
endif()
include(CMakePackageConfigHelpers)
set(excluded)
if(RECALL_PORTABLE)
  set(excluded EXCLUDE_FROM_ALL)
endif()
set(map ${PROJECT_SOURCE_DIR}/cli/library/recall.map)
# It defines what the archive of the terminal view has, so that this is left out, and ncurses with it.
add_library(recall_library SHARED $<TARGET_OBJECTS:recall_c_api> show/browse/no_terminal_screen.cc)
target_link_libraries(recall_library PRIVATE recall_cli)
set_target_properties(recall_library PROPERTIES OUTPUT_NAME recall VERSION 1.0.0 SOVERSION 1 LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${map})
# There must be one unwinder. RE2 and yaml-cpp of the system throw, also std::bad_alloc, with that of the system, and what
# a second one within the library does with their exceptions ends the process. The portable library has all of them.
set(unwinder -shared-libgcc)
if(RECALL_PORTABLE)
  set(unwinder -static-libgcc)
endif()
target_link_options(recall_library PRIVATE
  -Wl,--version-script=${map} -Wl,--no-undefined -Wl,--as-needed -static-libstdc++ ${unwinder})

install(TARGETS recall_library LIBRARY DESTINATION lib COMPONENT library NAMELINK_COMPONENT library ${excluded})
install(FILES ${PROJECT_SOURCE_DIR}/cli/library/recall.h DESTINATION include COMPONENT library ${excluded})
# Paths are relative to where the files lie, so that the installed tree can be moved.
file(CONFIGURE OUTPUT recall.pc @ONLY CONTENT [[
prefix=${pcfiledir}/../..
libdir=${prefix}/lib
includedir=${prefix}/include

Name: recall
Description: local hybrid search in one file
Version: @PROJECT_VERSION@
Libs: -L${libdir} -lrecall
Cflags: -I${includedir}
]])
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/recall.pc DESTINATION lib/pkgconfig
  COMPONENT library ${excluded})
file(CONFIGURE OUTPUT recallConfig.cmake @ONLY CONTENT [[
get_filename_component(recall_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET recall::recall)
  add_library(recall::recall SHARED IMPORTED)
  set_target_properties(recall::recall PROPERTIES
    IMPORTED_LOCATION "${recall_root}/lib/librecall.so.1"
    INTERFACE_INCLUDE_DIRECTORIES "${recall_root}/include")
endif()
unset(recall_root)
]])
write_basic_package_version_file(recallConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/recallConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/recallConfigVersion.cmake
  DESTINATION lib/cmake/recall COMPONENT library ${excluded})

# recall(3) is the comments of the header.
find_program(RECALL_AWK awk REQUIRED)
set(page ${PROJECT_BINARY_DIR}/library/recall.3)
set(script ${PROJECT_SOURCE_DIR}/cli/library/recall_man.awk)
add_custom_command(OUTPUT ${page}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/library
  COMMAND ${RECALL_AWK} -v version=${PROJECT_VERSION} -v page=${page} -f ${script}
    ${PROJECT_SOURCE_DIR}/cli/library/recall.h
  DEPENDS ${script} ${PROJECT_SOURCE_DIR}/cli/library/recall.h VERBATIM)
add_custom_target(recall_library_page ALL DEPENDS ${page})
# So that whoever makes the library can install it.
add_dependencies(recall_library recall_library_page)
install(FILES ${page} DESTINATION share/man/man3 COMPONENT library ${excluded})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/docs/c-api.md
  ${PROJECT_SOURCE_DIR}/cli/library/ask_program.c DESTINATION share/doc/librecall COMPONENT library ${excluded})

if(RECALL_PORTABLE)
  # A host of the extension has an SQLite of its own.
  return()
endif()
# recall.so, an extension that SQLite loads. It calls the SQLite that has loaded it, by functions of its own
# (cli/sqlite/host_sqlite.cc), so --as-needed leaves libsqlite3 out. It is never unloaded, because threads and a VFS of
# it live on (docs/decisions/0093-sqlite-extension.md).
set(extension_map ${PROJECT_SOURCE_DIR}/cli/sqlite/recall_sqlite.map)
add_library(recall_sqlite_extension MODULE sqlite/host_sqlite.cc sqlite/extension_entry.cc
  show/browse/no_terminal_screen.cc)
target_link_libraries(recall_sqlite_extension PRIVATE recall_sqlite)
set_target_properties(recall_sqlite_extension PROPERTIES PREFIX "" OUTPUT_NAME recall SUFFIX .so LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/sqlite LINK_DEPENDS ${extension_map})
target_link_options(recall_sqlite_extension PRIVATE
  -Wl,--version-script=${extension_map} -Wl,--no-undefined -Wl,--as-needed -Wl,-z,nodelete
  -static-libstdc++ ${unwinder})
install(TARGETS recall_sqlite_extension LIBRARY DESTINATION lib COMPONENT extension)
