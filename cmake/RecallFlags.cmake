# One INTERFACE target carries the flags of every Recall target; nothing is set globally.
add_library(recall_flags INTERFACE)
target_compile_features(recall_flags INTERFACE cxx_std_20)
target_include_directories(recall_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_options(recall_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # Scores decide an order, so they must have the same bits on every CPU: a compiler that fuses
  # a*b+c where the target allows it would break that.
  -ffp-contract=off
  -fno-strict-aliasing)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports inlined std::string and std::vector code as out of bounds at -O2.
  target_compile_options(recall_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread -Wno-maybe-uninitialized)
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
if(RECALL_MOLD)
  target_link_options(recall_flags INTERFACE -fuse-ld=mold)
endif()
find_program(RECALL_CCACHE ccache)
if(RECALL_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RECALL_CCACHE})
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# recall_library(<name> [deps...]): a static library of one folder; sources are added by
# target_sources in that folder and its sub-folders.
function(recall_library name)
  add_library(${name} STATIC)
  target_link_libraries(${name} PUBLIC recall_flags ${ARGN})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  if(RECALL_UNITY)
    recall_unity(${name})
  endif()
endfunction()

# recall_unity(<target>): compiles the sources of each folder as few units, for half of the time is
# spent on reading headers. Called when all sources are known, at the end of the top folder.
# Sources with the property SKIP_UNITY_BUILD_INCLUSION stay alone.
function(recall_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # In a unit a source is an included file, where GCC takes anonymous namespaces for a mistake.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${PROJECT_SOURCE_DIR}]]
    CALL recall_unity_groups ${target} [[${CMAKE_CURRENT_SOURCE_DIR}]])")
endfunction()

function(recall_unity_groups target directory)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${directory} NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR before "0${before_${folder}}")
    math(EXPR number "${before} / ${RECALL_UNITY_SIZE}")
    math(EXPR before_${folder} "${before} + 1")
    set_property(SOURCE ${path} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${folder}_${number})
  endforeach()
endfunction()
