# The program for other systems, BUILD/portable/recall, and with RECALL_LIBRARY the library, BUILD/librecall.so.1: they
# need glibc 2.27 or later and nothing else (docs/decisions/0085-portable-program.md, 0096-portable-library.md). They have
# the same objects as `recall`, and differ in how they are linked:
#
# - against the glibc of Debian 11, with functions of our own for what is newer (cmake/package/portable_glibc.cc);
# - with libraries that `recall` opens when they are needed, where Debian has archives of them;
# - the library without the grammars of source code, and with data of its own where Debian's archives, which are made for
#   programs, read data of the C library (cmake/package/portable_data.cc).
option(RECALL_PORTABLE "Also link a program that runs on other systems (./x package)" OFF)
if(NOT RECALL_PORTABLE)
  return()
endif()
set(RECALL_PORTABLE_PARTS ${PROJECT_SOURCE_DIR}/build/portable-parts CACHE PATH "What cmake/package/portable_packages.sh unpacks")
if(NOT RECALL_PREFER_STATIC)
  message(FATAL_ERROR "RECALL_PORTABLE needs RECALL_PREFER_STATIC")
endif()
set(glibc ${RECALL_PORTABLE_PARTS}/glibc-${CMAKE_SYSTEM_PROCESSOR})
set(croaring ${RECALL_PORTABLE_PARTS}/sources/croaring)
set(re2 ${RECALL_PORTABLE_PARTS}/sources/re2)
foreach(folder ${glibc} ${croaring} ${re2})
  if(NOT EXISTS ${folder})
    message(FATAL_ERROR "${folder} is missing: ./x package makes it")
  endif()
endforeach()

# Debian has no archive of this library.
enable_language(C)
file(GLOB sources ${croaring}/src/*.c ${croaring}/src/containers/*.c)
add_library(recall_croaring STATIC ${sources})
target_include_directories(recall_croaring PRIVATE ${croaring}/include)
target_compile_options(recall_croaring PRIVATE -w -O2 -ffunction-sections -ffile-prefix-map=${croaring}/=)
set_target_properties(recall_croaring PROPERTIES UNITY_BUILD OFF EXPORT_COMPILE_COMMANDS OFF C_CLANG_TIDY "" C_STANDARD 11
  POSITION_INDEPENDENT_CODE ON)

# Debian's archive of this one has a thread-local variable that only a program can have. Tables that Debian's source
# package makes with Perl and Python, and which are data alone, are taken from the archive.
file(GLOB sources ${re2}/re2/*.cc)
add_library(recall_re2 STATIC ${sources} ${re2}/util/rune.cc ${re2}/util/strutil.cc)
target_include_directories(recall_re2 PRIVATE ${re2})
target_compile_options(recall_re2 PRIVATE -w -O2 -ffunction-sections -ffile-prefix-map=${re2}/=)
target_compile_features(recall_re2 PRIVATE cxx_std_17)
set_target_properties(recall_re2 PROPERTIES UNITY_BUILD OFF EXPORT_COMPILE_COMMANDS OFF CXX_CLANG_TIDY ""
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
get_target_property(archive PkgConfig::RE2 INTERFACE_LINK_LIBRARIES)
set_target_properties(PkgConfig::RE2 PROPERTIES INTERFACE_LINK_LIBRARIES "recall_re2;${archive}")

# recall_link_in(<source> LIBRARIES <name>... ARCHIVES <name>...): the libraries that the source opens, and
# what has their functions: archives that are called lib<name>.a.
set(library_names)
set(declarations)
set(symbols)
set(archives)
function(recall_link_in source)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;ARCHIVES" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${source})
  file(READ ${PROJECT_SOURCE_DIR}/${source} text)
  foreach(name ${ARG_LIBRARIES})
    if(NOT text MATCHES "OpenLibrary\\(\"${name}\"\\)")
      message(FATAL_ERROR "${source} does not open ${name}")
    endif()
    string(APPEND library_names "    \"${name}\",\n")
  endforeach()
  # LoadSymbol(library, "name", ...), or load("name", ...).
  string(REGEX MATCHALL "oad(Symbol)?\\((library, )?\"[A-Za-z0-9_]+\"" calls "${text}")
  foreach(call ${calls})
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" symbol ${call})
    string(APPEND declarations "extern const char recall_${symbol}[] asm(\"${symbol}\");\n")
    string(APPEND symbols "    {\"${symbol}\", recall_${symbol}},\n")
  endforeach()
  foreach(archive ${ARG_ARCHIVES})
    find_library(RECALL_ARCHIVE_${archive} lib${archive}.a REQUIRED)
    list(APPEND archives ${RECALL_ARCHIVE_${archive}})
  endforeach()
  return(PROPAGATE library_names symbols declarations archives)
endfunction()

# recall_write_linked(<file>): a source that tells the program what recall_link_in has named so far.
function(recall_write_linked file)
  file(CONFIGURE OUTPUT ${file} CONTENT [=[
#include "storage/base/dynamic_library.h"

@declarations@
namespace recall {
namespace {

constexpr const char* kNames[] = {
@library_names@};
constexpr LinkedSymbol kSymbols[] = {
@symbols@};

[[maybe_unused]] const bool said = (SetLinkedLibraries({kNames, kSymbols}), true);

}  // namespace
}  // namespace recall
]=] @ONLY)
endfunction()

recall_link_in(index/source/archive/archive_library.cc LIBRARIES libarchive.so.13 ARCHIVES archive lzma bz2 z)
# The library reads archives itself; documents and source code are read by processes of the program.
set(linked_in_library ${PROJECT_BINARY_DIR}/generated/linked_in_library.cc)
recall_write_linked(${linked_in_library})
set(archives_in_library ${archives})
recall_link_in(index/source/code/tree_sitter_library.cc LIBRARIES libtree-sitter.so.0 ARCHIVES tree-sitter)
recall_link_in(index/source/extract/container/container_libraries.cc LIBRARIES libz.so.1 libexpat.so.1
  ARCHIVES expat)
recall_link_in(index/source/extract/html/gumbo_library.cc LIBRARIES libgumbo.so.1 ARCHIVES gumbo)
recall_link_in(index/source/extract/worker/sandbox_linux.cc LIBRARIES libseccomp.so.2 ARCHIVES seccomp)
set(linked_libraries ${PROJECT_BINARY_DIR}/generated/linked_libraries.cc)
recall_write_linked(${linked_libraries})

# recall_portable(<target> <map> <linked> <archive>...): how a target is linked, with the source of recall_write_linked;
# the linker tells in <map> what is in it.
set(glibc_libraries ${glibc}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
function(recall_portable target map linked)
  target_sources(${target} PRIVATE ${linked} ${PROJECT_SOURCE_DIR}/cmake/package/portable_glibc.cc)
  target_link_libraries(${target} PRIVATE recall_croaring ${ARGN} PkgConfig::ZSTD PkgConfig::NETTLE pthread dl m)
  target_link_options(${target} PRIVATE --sysroot=${glibc} -B${glibc_libraries} -L${glibc_libraries}
    # The library of croaring is not needed beside its archive.
    -Wl,--as-needed -Wl,-Map=${map})
endfunction()

add_executable(recall_portable ${PROJECT_SOURCE_DIR}/cli/app/string_code.cc ${PROJECT_SOURCE_DIR}/cli/app/main.cc)
set_target_properties(recall_portable PROPERTIES OUTPUT_NAME recall
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable)
target_link_libraries(recall_portable PRIVATE recall_cli)
recall_portable(recall_portable ${PROJECT_BINARY_DIR}/portable/recall.map ${linked_libraries} ${archives})
if(RECALL_FIXED_ADDRESS)
  target_link_options(recall_portable PRIVATE -no-pie)
endif()
install(TARGETS recall_portable RUNTIME DESTINATION bin COMPONENT portable EXCLUDE_FROM_ALL)

if(RECALL_LIBRARY)
  # The objects define what archives have that are left out: the grammars.
  target_sources(recall_library PRIVATE ${named_grammars} ${PROJECT_SOURCE_DIR}/cmake/package/portable_data.cc)
  recall_portable(recall_library ${PROJECT_BINARY_DIR}/librecall.map ${linked_in_library} ${archives_in_library})
  if(RECALL_MOLD)
    # Functions with the same code are one (docs/decisions/0097-small-library.md).
    target_link_options(recall_library PRIVATE -Wl,--icf=all)
  endif()
endif()
