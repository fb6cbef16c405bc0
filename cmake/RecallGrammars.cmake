# The grammars of cmake/grammars.lock that cmake/fetch_grammars.sh has fetched: each becomes a static
# library of C, recall_grammar_NAME. Nothing is fetched here.
set(RECALL_GRAMMARS AUTO CACHE STRING "Grammars of source code: AUTO (those that were fetched), ON (all), OFF")
set_property(CACHE RECALL_GRAMMARS PROPERTY STRINGS AUTO ON OFF)
set(RECALL_GRAMMARS_FOLDER ${PROJECT_SOURCE_DIR}/build/grammars CACHE PATH "Where cmake/fetch_grammars.sh puts grammars")
if(NOT RECALL_GRAMMARS MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "RECALL_GRAMMARS is ${RECALL_GRAMMARS}: AUTO, ON and OFF are possible")
endif()

# recall_grammar(<language> <version> <folder>): adds the grammar in a folder of a package.
function(recall_grammar language version folder)
  string(REPLACE "-" "_" identifier ${language})
  file(STRINGS ${folder}/src/parser.c abi REGEX "^#define LANGUAGE_VERSION " LIMIT_COUNT 1)
  if(NOT abi MATCHES "^#define LANGUAGE_VERSION (13|14)$")
    message(FATAL_ERROR "The grammar ${language} ${version} has '${abi}': libtree-sitter 0.20 reads ABI 13 and 14")
  endif()
  set(sources ${folder}/src/parser.c)
  if(EXISTS ${folder}/src/scanner.c)
    list(APPEND sources ${folder}/src/scanner.c)
  endif()
  set(target recall_grammar_${identifier})
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PRIVATE ${folder}/src)
  # Generated code of others: its warnings tell us nothing.
  target_compile_options(${target} PRIVATE -w -O2)
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF EXPORT_COMPILE_COMMANDS OFF POSITION_INDEPENDENT_CODE ON
    C_CLANG_TIDY "" C_STANDARD 11)
  if(RECALL_SANITIZE)
    # Scanners are written by hand; instrumenting the tables of parsers takes minutes.
    set_source_files_properties(${folder}/src/scanner.c PROPERTIES COMPILE_OPTIONS
      "-fsanitize=${RECALL_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all")
  endif()
  set(RECALL_GRAMMAR_TARGETS ${RECALL_GRAMMAR_TARGETS} ${target} PARENT_SCOPE)
  set(grammar_functions "${grammar_functions}const TSLanguage* tree_sitter_${identifier}();\n" PARENT_SCOPE)
  set(grammar_rows "${grammar_rows}    {\"${language}\", \"${version}\", &tree_sitter_${identifier}},\n" PARENT_SCOPE)
  set(grammar_names "${grammar_names}    {\"${language}\", \"${version}\", nullptr},\n" PARENT_SCOPE)
endfunction()

set(RECALL_GRAMMAR_TARGETS)
set(grammar_functions)
set(grammar_rows)
set(grammar_names)
set(lock ${PROJECT_SOURCE_DIR}/cmake/grammars.lock)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
if(NOT RECALL_GRAMMARS STREQUAL "OFF")
  file(STRINGS ${lock} lines REGEX "^[^#]")
  foreach(line ${lines})
    if(NOT line MATCHES "^([^ ]+) +([^ ]+) +([^ ]+) +([^ ]+)$")
      message(FATAL_ERROR "cmake/grammars.lock: no package, version, SHA-256 and folders in: ${line}")
    endif()
    set(package ${CMAKE_MATCH_1})
    set(version ${CMAKE_MATCH_2})
    set(sum ${CMAKE_MATCH_3})
    string(REPLACE "," ";" subfolders ${CMAKE_MATCH_4})
    # "@scope/package" is the folder "scope-package".
    string(REGEX REPLACE "^@" "" package_file ${package})
    string(REPLACE "/" "-" package_file ${package_file})
    set(folder ${RECALL_GRAMMARS_FOLDER}/${package_file}-${version})
    set(fetched)
    if(EXISTS ${folder}/sha256)
      file(STRINGS ${folder}/sha256 fetched)
    endif()
    if(NOT "${fetched}" STREQUAL "${sum}")
      if(RECALL_GRAMMARS STREQUAL "ON")
        message(FATAL_ERROR "RECALL_GRAMMARS is ON, and ${package} ${version} is not in ${RECALL_GRAMMARS_FOLDER}: "
          "run ./x setup --grammars")
      endif()
      continue()
    endif()
    if(NOT RECALL_GRAMMAR_TARGETS)
      enable_language(C)
      if(RECALL_CCACHE)
        set(CMAKE_C_COMPILER_LAUNCHER ${RECALL_CCACHE})
      endif()
    endif()
    foreach(subfolder ${subfolders})
      if(subfolder STREQUAL ".")
        string(REGEX REPLACE "^(@.*/)?tree-sitter-" "" language ${package})
        recall_grammar(${language} ${version} ${folder})
      else()
        recall_grammar(${subfolder} ${version} ${folder}/${subfolder})
      endif()
    endforeach()
    file(GLOB licence ${folder}/LICENSE ${folder}/LICENSE.md)
    install(FILES ${licence} DESTINATION share/doc/recall/licenses RENAME ${package_file})
  endforeach()
endif()
list(LENGTH RECALL_GRAMMAR_TARGETS grammar_count)
set(linked_grammars ${PROJECT_BINARY_DIR}/generated/linked_grammars.cc)
set(template [[
#include "index/source/code/linked_grammars.h"

#include <array>

extern "C" {
@grammar_functions@}

namespace recall {

std::span<const LinkedGrammar> LinkedGrammars() {
  static constexpr std::array<LinkedGrammar, @grammar_count@> kGrammars{{
@grammar_rows@  }};
  return kGrammars;
}

}  // namespace recall
]])
file(CONFIGURE OUTPUT ${linked_grammars} CONTENT "${template}" @ONLY)
# The same without their tables, for the portable library.
set(named_grammars ${PROJECT_BINARY_DIR}/generated/named_grammars.cc)
set(grammar_functions)
set(grammar_rows "${grammar_names}")
file(CONFIGURE OUTPUT ${named_grammars} CONTENT "${template}" @ONLY)
