# Writes ${OUT}, a source file that defines kSourceCommit: the commit of the source tree ${SOURCE},
# with "-dirty" after it if files have changed; of an archive the commit that `git archive` wrote
# into it; else "unknown". The file is left alone if it says so already.
cmake_policy(VERSION 3.25)
set(commit unknown)
file(STRINGS ${SOURCE}/cmake/archived_commit.txt archived LIMIT_COUNT 1)
if(archived MATCHES "^[0-9a-f]+$")
  string(SUBSTRING ${archived} 0 12 commit)
elseif(GIT)
  # An unpacked archive may lie within another repository, whose commit says nothing about it.
  execute_process(COMMAND ${GIT} rev-parse --show-prefix WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE prefix RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE}
      OUTPUT_VARIABLE described RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed)
      set(commit ${described})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"query/maintenance/source_commit.h\"

namespace recall {

const std::string_view kSourceCommit = \"@commit@\";

}  // namespace recall
" @ONLY)
