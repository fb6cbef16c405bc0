# recall.node, the addon of the npm package (docs/decisions/0095-node.md). It has Node-API version 8, which Node.js
# provides from 18 on without compiling it again, and opens librecall.so.1 when it is used. Beside the library it is
# made wherever the headers of Node.js are.
if(NOT RECALL_LIBRARY AND NOT RECALL_PORTABLE)
  return()
endif()
find_path(RECALL_NODE_HEADERS node_api.h PATH_SUFFIXES node nodejs/src NO_CMAKE_FIND_ROOT_PATH)
if(NOT RECALL_NODE_HEADERS)
  message(STATUS "node_api.h is missing (libnode-dev): recall.node is not made")
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/library/node/*.cc)
add_library(recall_node MODULE ${sources})
set_target_properties(recall_node PROPERTIES OUTPUT_NAME recall PREFIX "" SUFFIX .node LINKER_LANGUAGE CXX
  CXX_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(recall_node PRIVATE recall_flags)
target_include_directories(recall_node SYSTEM PRIVATE ${RECALL_NODE_HEADERS})
target_compile_definitions(recall_node PRIVATE NAPI_VERSION=8)
# Functions of Node-API are those of the program that loads it, and those of the C++ library are its own.
target_link_options(recall_node PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL)
if(RECALL_PORTABLE)
  # As the portable program, which has the same source: a unit would take it from that target, too.
  set_target_properties(recall_node PROPERTIES RECALL_NO_UNITY ON)
  target_sources(recall_node PRIVATE ${PROJECT_SOURCE_DIR}/cmake/package/portable_glibc.cc)
  target_link_libraries(recall_node PRIVATE pthread dl)
  target_link_options(recall_node PRIVATE --sysroot=${glibc} -B${glibc_libraries} -L${glibc_libraries} -Wl,--as-needed)
endif()
recall_sources(recall_node)
if(TARGET recall_library)
  # So that whoever makes the library can test both.
  add_dependencies(recall_library recall_node)
endif()
