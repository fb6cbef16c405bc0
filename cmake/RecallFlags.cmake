# The INTERFACE target recall_flags has the flags of all targets; nothing is set globally.
add_library(recall_flags INTERFACE)
target_compile_features(recall_flags INTERFACE cxx_std_20)
target_include_directories(recall_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(recall_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # Scores determine the order of results, so they must have the same bits on every CPU. Fused
  # multiply-add, where the target allows it, would change them.
  -ffp-contract=off
  # The default on ARM is unsigned.
  -fsigned-char
  -fno-strict-aliasing
  # Instead of CMake's -O3, which compiles longer and makes a larger program; see
  # RECALL_HOT_FOLDERS.
  $<$<CONFIG:Release>:-O2>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports inlined std::string and std::vector code as out of bounds at -O2.
  target_compile_options(recall_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread -Wno-maybe-uninitialized)
endif()
# Messages name sources by their paths in the tree, so that builds in other directories make the same
# program. A compiler cache passes paths relative to the build directory.
cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE up)
foreach(folder ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${up})
  target_compile_options(recall_flags INTERFACE $<$<CONFIG:Release>:-ffile-prefix-map=${folder}/=>)
endforeach()
if(RECALL_LIBRARY)
  # The same objects are in the program and in librecall.so, which exports the functions of recall.h
  # alone (docs/decisions/0092-c-api.md). Tests are in programs alone.
  set(of_library $<BOOL:$<TARGET_PROPERTY:RECALL_OF_LIBRARY>>)
  target_compile_options(recall_flags INTERFACE
    $<${of_library}:-fPIC> $<${of_library}:-fvisibility=hidden> $<${of_library}:-fno-semantic-interposition>)
endif()
if(RECALL_DEVELOPER)
  target_compile_options(recall_flags INTERFACE -Werror)
  target_compile_definitions(recall_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(RECALL_SANITIZE)
  target_compile_options(recall_flags INTERFACE -fsanitize=${RECALL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(recall_flags INTERFACE -fsanitize=${RECALL_SANITIZE})
endif()
find_program(RECALL_MOLD mold)
# A cross compiler does not find a linker that is named for the build machine.
if(RECALL_MOLD AND NOT CMAKE_CROSSCOMPILING)
  target_link_options(recall_flags INTERFACE -fuse-ld=mold)
endif()
# Static libraries are linked by object, and an object has more functions and tables than are used.
target_compile_options(recall_flags INTERFACE $<$<CONFIG:Release>:-ffunction-sections> $<$<CONFIG:Release>:-fdata-sections>)
target_link_options(recall_flags INTERFACE
  $<$<CONFIG:Release>:$<IF:$<PLATFORM_ID:Darwin>,-Wl$<COMMA>-dead_strip,-Wl$<COMMA>--gc-sections>>)
find_program(RECALL_CCACHE ccache)
if(RECALL_CCACHE)
  # Paths are hashed relative to the clone, so that clones share the cache.
  set(cached_compiler ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${RECALL_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${cached_compiler})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${cached_compiler})
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# recall_library(<name> [FOLDERS <folder>... [WITHOUT <path>...]] [LIBRARIES] <library>...): adds
# a static library of all sources below the folders, without those whose paths begin with one of
# <path>. Others are added by target_sources.
function(recall_library name)
  cmake_parse_arguments(ARG "" "" "FOLDERS;WITHOUT;LIBRARIES" ${ARGN})
  add_library(${name} STATIC)
  target_link_libraries(${name} PUBLIC recall_flags ${ARG_LIBRARIES} ${ARG_UNPARSED_ARGUMENTS})
  foreach(folder ${ARG_FOLDERS})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${folder}/*.cc)
    list(FILTER sources EXCLUDE REGEX "${RECALL_OTHER_FORMS}")
    foreach(path ${ARG_WITHOUT})
      list(FILTER sources EXCLUDE REGEX "^${path}")
    endforeach()
    target_sources(${name} PRIVATE ${sources})
  endforeach()
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX RECALL_OF_LIBRARY ON)
  recall_sources(${name})
endfunction()

# recall_sources(<target>): sets how the sources are compiled, when all are known: hot ones with
# -O3, cold ones with -Os; and several as one unit with RECALL_UNITY, because reading headers takes half of a build's
# time.
function(recall_sources target)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]]
    CALL recall_arrange_sources [[${target}]] [[${CMAKE_CURRENT_SOURCE_DIR}]])")
endfunction()

# Folders whose code gains enough from more inlining and unrolling to justify its size.
set(RECALL_HOT_FOLDERS simd index/source/chunk index/source/code index/embed/lsa index/base/glob index/search/lexical index/search/ngram index/base/text
  index/search/vector index/embed/vector_space query/ask/ranking storage/btree storage/fts5)
foreach(folder ${RECALL_HOT_FOLDERS})
  if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    message(FATAL_ERROR "RECALL_HOT_FOLDERS names ${folder}, which is not there")
  endif()
endforeach()

# Folders whose code runs once for a command, or waits for files: compiled for size, with all below them.
set(RECALL_COLD_FOLDERS cli query/add query/ask/answer query/ask/rows query/ask/stages query/compat
  query/database query/exchange query/maintenance query/measure query/memory query/rql query/types index/base/program
  index/embed/factory index/embed/remote index/source/archive index/source/extract
  index/source/session index/source/transcript index/subword index/write/check index/write/compaction
  storage/check storage/history storage/metadata storage/notes storage/postgres storage/replica
  storage/schema storage/segment storage/sessions storage/store)
foreach(folder ${RECALL_COLD_FOLDERS})
  if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${folder})
    message(FATAL_ERROR "RECALL_COLD_FOLDERS names ${folder}, which is not there")
  endif()
endforeach()
list(JOIN RECALL_COLD_FOLDERS "|" cold_folders)
set(RECALL_COLD_PATHS "^(${cold_folders})(/|$)")

# A unit ends after RECALL_UNITY_SIZE sources, or at the end of a folder if it has half as many.
# (CMake's UNITY_BUILD ends units anywhere in a folder, and includes sources by absolute paths, so
# that clones cannot share a compiler cache.) Sources that are generated or have compile definitions
# of their own are compiled alone, and so are all sources of a target with RECALL_NO_UNITY.
function(recall_arrange_sources target directory)
  get_target_property(sources ${target} SOURCES)
  get_target_property(alone ${target} RECALL_NO_UNITY)
  math(EXPR half "${RECALL_UNITY_SIZE} / 2")
  set(members 0)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory} NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    set(of_source SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY)
    set(options "")
    if(folder IN_LIST RECALL_HOT_FOLDERS)
      set(options $<$<CONFIG:Release>:-O3>)
    elseif(folder MATCHES "${RECALL_COLD_PATHS}")
      set(options $<$<CONFIG:Release>:-Os>)
    endif()
    set_property(${of_source} COMPILE_OPTIONS ${options})
    get_property(generated ${of_source} GENERATED)
    get_property(definitions ${of_source} COMPILE_DEFINITIONS)
    if(NOT RECALL_UNITY OR alone OR generated OR definitions)
      continue()
    endif()
    if(members EQUAL 0 OR members GREATER_EQUAL RECALL_UNITY_SIZE OR NOT "${options}" STREQUAL "${unit_options}"
       OR (members GREATER_EQUAL half AND NOT folder STREQUAL last_folder))
      string(MAKE_C_IDENTIFIER ${name} unit)
      list(APPEND units ${unit})
      set(members 0)
      set(unit_options "${options}")
    endif()
    set(last_folder ${folder})
    math(EXPR members "${members} + 1")
    string(APPEND content_${unit} "#include \"${name}\"\n")
    set(options_${unit} "${options}")
    set_property(${of_source} HEADER_FILE_ONLY ON)
  endforeach()
  foreach(unit ${units})
    set(file ${PROJECT_BINARY_DIR}/unity/${target}/${unit}.cc)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content_${unit}}")
    target_sources(${target} PRIVATE ${file})
    # In a unit, sources are included files, and GCC warns of anonymous namespaces in those.
    set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS
      "${options_${unit}};$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>")
  endforeach()
endfunction()
