# The lexicon in the program: ${lexicon_source}, a part of index/base/lexicon, has ${lexicon}, which a tool of ours makes of the
# files of Debian's package wordnet-base.
find_path(RECALL_WORDNET_FOLDER data.noun PATHS /usr/share/wordnet NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH
  DOC "The files of WordNet 3.0")
if(NOT RECALL_WORDNET_FOLDER)
  message(FATAL_ERROR "the files of WordNet are missing: ./x setup, or apt install wordnet-base")
endif()
add_executable(make_lexicon ${PROJECT_SOURCE_DIR}/cmake/lexicon/make_lexicon.cc
  ${PROJECT_SOURCE_DIR}/index/base/text/porter.cc ${PROJECT_SOURCE_DIR}/index/base/text/stop_words.cc)
target_link_libraries(make_lexicon PRIVATE recall_flags)
set(lexicon ${PROJECT_BINARY_DIR}/generated/lexicon.bin)
add_custom_command(OUTPUT ${lexicon} COMMAND make_lexicon ${RECALL_WORDNET_FOLDER} ${lexicon}
  DEPENDS make_lexicon VERBATIM)
add_custom_target(recall_lexicon DEPENDS ${lexicon})
set(lexicon_source ${PROJECT_BINARY_DIR}/generated/lexicon_bytes.cc)
# In the notation of Mach-O or of ELF.
if(APPLE)
  set(lexicon_section "__TEXT,__const")
  set(lexicon_prefix _)
else()
  set(lexicon_section .rodata)
  set(lexicon_prefix)
endif()
file(CONFIGURE OUTPUT ${lexicon_source} CONTENT [[
#include "index/base/lexicon/lexicon_bytes.h"

#include <cstddef>

asm(R"(
  .section @lexicon_section@
  .balign 16
@lexicon_prefix@recall_lexicon_begin:
  .incbin "@lexicon@"
@lexicon_prefix@recall_lexicon_end:
  .byte 0
  .text
)");

extern "C" const unsigned char recall_lexicon_begin[] __attribute__((visibility("hidden")));
extern "C" const unsigned char recall_lexicon_end[] __attribute__((visibility("hidden")));

namespace recall {

ByteSpan LexiconBytes() {
  return {recall_lexicon_begin, static_cast<size_t>(recall_lexicon_end - recall_lexicon_begin)};
}

}  // namespace recall
]] @ONLY)
install(FILES ${PROJECT_SOURCE_DIR}/docs/licences/wordnet.txt DESTINATION share/doc/recall/licenses RENAME wordnet)
