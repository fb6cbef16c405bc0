# Every dependency is a Debian 12 package, which `./x setup` installs. Only one folder links each
# library and may include its headers (docs/ARCHITECTURE.md, "Who may include what").
if(RECALL_PREFER_STATIC)
  # Static libraries make each start faster, and the program runs where the packages are not
  # installed.
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  target_link_options(recall_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()
find_package(Threads REQUIRED)
find_package(tl-expected REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED)          # Interprocess, header-only

pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.40)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
pkg_check_modules(HWY REQUIRED libhwy)     # headers only
find_package(roaring REQUIRED)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc)
find_path(STEMMER_INCLUDE_DIR libstemmer.h REQUIRED)
find_library(STEMMER_LIBRARY stemmer REQUIRED)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(YAML_CPP REQUIRED IMPORTED_TARGET yaml-cpp)
# Headers only: the library is loaded at run time, when an embedder over HTTP is used.
pkg_check_modules(CURL REQUIRED libcurl>=7.85)
# Headers only, too: the library is loaded at run time, when an archive is opened.
pkg_check_modules(ARCHIVE REQUIRED IMPORTED_TARGET libarchive>=3.6)  # tests link it
# Headers only: each library is loaded by the worker that extracts a document of its format,
# or parses source code.
pkg_check_modules(EXPAT REQUIRED expat)
pkg_check_modules(GUMBO REQUIRED gumbo)
if(RECALL_LINUX_FORMS)
  pkg_check_modules(SECCOMP REQUIRED libseccomp)
endif()
pkg_check_modules(TREE_SITTER REQUIRED tree-sitter)
pkg_check_modules(ZLIB REQUIRED zlib)
if(RECALL_TERMINAL_VIEW)
  pkg_check_modules(NCURSES IMPORTED_TARGET ncursesw>=6.2)
endif()
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
if(RECALL_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(RECALL_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()
