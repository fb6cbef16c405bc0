# Read by ctest, with `name` and `program` set: each test suite of a gtest program is one case.
if(NOT EXISTS ${program})
  add_test("${name} (not built)" ${program})
  return()
endif()
execute_process(COMMAND ${program} --gtest_list_tests OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${program} --gtest_list_tests: ${failed}")
endif()
# A suite is a line "Suite." or "Prefix/Suite/0.  # ..."; its tests follow, indented.
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+[.]" suites "\n${listing}")
foreach(suite ${suites})
  string(STRIP ${suite} suite)
  # Brief: of those that pass nothing is printed.
  add_test("${name}.${suite}" ${program} "--gtest_filter=${suite}*" --gtest_brief=1)
  set_tests_properties("${name}.${suite}" PROPERTIES TIMEOUT 1200 LABELS short)
endforeach()
