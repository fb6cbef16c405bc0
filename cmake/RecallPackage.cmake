# The Debian package that `./x package` makes: `cpack` in the build directory.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME recall)
set(CPACK_PACKAGE_VENDOR "The Recall authors")
set(CPACK_PACKAGE_CONTACT "The Recall authors <recall@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "local search database for documents, in one file")
set(CPACK_PACKAGE_DESCRIPTION
  "Recall indexes files and returns the passages that answer a question: ranked by lexical and semantic search, \
restricted by exact filters, packed into a token budget with citations. Everything is in one file, recall.db; \
it needs no service, no network and no model.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianLayout.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded on demand, for archives and for embedding servers; less is the usual pager.
# Loaded or run when a document of their format is added.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "libarchive13, less, libexpat1, libgumbo1, libseccomp2, libtree-sitter0, poppler-utils, zlib1g")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcurl4 | libcurl3-gnutls, sqlite3")
include(CPack)
