# ctest includes this file with `name`, `program` and `emulator` set. It adds each suite of a gtest
# program as one case. The emulator is a command before the program's, empty for programs of this
# machine.
if(NOT EXISTS ${program})
  add_test("${name} (not built)" ${program})
  return()
endif()
execute_process(COMMAND ${emulator} ${program} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} --gtest_list_tests: ${failed}")
endif()
# A suite is a line "Suite." or "Prefix/Suite/0.  # ..."; its tests follow on indented lines.
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+[.]" suites "\n${listing}")
foreach(suite ${suites})
  string(STRIP ${suite} suite)
  # gtest_brief prints nothing about passed tests.
  add_test("${name}.${suite}" ${emulator} ${program} "--gtest_filter=${suite}*" --gtest_brief=1)
  set_tests_properties("${name}.${suite}" PROPERTIES TIMEOUT 1200 LABELS short)
endforeach()
