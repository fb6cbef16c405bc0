#pragma once

#include <cstdio>
#include <cstdlib>

// Stops the program when one of our own invariants is broken. Only for our bugs: bytes from disk
// and words from users get a Status.
#define RECALL_CHECK(condition)                                                           \
  do {                                                                                    \
    if (!(condition)) [[unlikely]] {                                                      \
      std::fprintf(stderr, "recall: internal error: %s at %s:%d\n", #condition, __FILE__, \
                   __LINE__);                                                             \
      std::abort();                                                                       \
    }                                                                                     \
  } while (false)
