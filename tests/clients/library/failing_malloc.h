/* The malloc of the process, which fails when it is told to. */
#pragma once

/* Allocations by the library whose file name contains `name` never fail. For at most four. */
void spare_allocations_of(const char* name);

enum failing { FAILS_NEVER, FAILS_ONCE, FAILS_FROM_THEN_ON };

/* From now on, allocations of all threads are counted from 0, and fail as `how` says from number
 * `at` on. */
void fail_allocations(enum failing how, long at);
/* From now on none fails. Returns: the number of allocations since fail_allocations. */
long end_of_failures(void);
