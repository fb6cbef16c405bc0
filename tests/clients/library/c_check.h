/* What the programs have in common: a check that ends the program and says where. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "recall.h"

/* Whether a sanitizer of the compiler watches the program. It keeps memory that was freed, and
 * takes more time. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED 1
#else
#define WATCHED 0
#endif

#define CHECK(condition, ...)                                         \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                   \
      fputc('\n', stderr);                                            \
      exit(1);                                                        \
    }                                                                 \
  } while (0)
