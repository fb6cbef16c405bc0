#pragma once

#include <cstdio>
#include <cstdlib>

// Aborts the program when an internal invariant is broken. Only for bugs of Recall: invalid bytes
// on disk and invalid user input are reported as a Status.
#define RECALL_CHECK(condition)                                                           \
  do {                                                                                    \
    if (!(condition)) [[unlikely]] {                                                      \
      std::fprintf(stderr, "recall: internal error: %s at %s:%d\n", #condition, __FILE__, \
                   __LINE__);                                                             \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)
