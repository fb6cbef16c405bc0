/* Opens, searches and closes a store 10,000 times: lives STORE. Nothing of it may stay in the
 * process: no memory, no descriptor, no thread. Under a sanitizer 100 times, and it is the address
 * sanitizer that looks for memory. */

#include <dirent.h>
#include <unistd.h>

#include "c_check.h"

enum { kAll = WATCHED ? 100 : 10000, kFirst = kAll / 10 };

/* Of all lives but the first together. An allocator may keep some pages. */
static const long kMostGrownBytes = WATCHED ? 1L << 30 : 1L << 20;

static long count_entries(const char* directory) {
  DIR* const entries = opendir(directory);
  long count = 0;
  CHECK(entries != NULL, "%s", directory);
  while (readdir(entries) != NULL) ++count;
  closedir(entries);
  return count;
}

static long resident_bytes(void) {
  FILE* const file = fopen("/proc/self/statm", "r");
  long all = 0;
  long resident = 0;
  CHECK(file != NULL, "/proc/self/statm");
  CHECK(fscanf(file, "%ld %ld", &all, &resident) == 2, "/proc/self/statm");
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

static void live(const char* path) {
  recall_store* store = NULL;
  recall_answer* answer = NULL;
  recall_hits* hits = NULL;
  int status = recall_open(path, NULL, &store, &answer);
  CHECK(status == RECALL_OK, "%s", recall_json(answer, NULL));
  status = recall_search(store, "how are segments merged", "{\"k\": 3}", NULL, &hits, &answer);
  CHECK(status == RECALL_OK, "%s", recall_json(answer, NULL));
  CHECK(recall_count(hits) == 3, "%zu hits", recall_count(hits));
  recall_hits_free(hits);
  recall_close(store);
}

int main(int argc, char** argv) {
  long descriptors = 0;
  long threads = 0;
  long bytes = 0;
  int i;
  CHECK(argc == 2, "lives STORE");
  live(argv[1]); /* what is made once and kept */
  descriptors = count_entries("/proc/self/fd");
  threads = count_entries("/proc/self/task");
  for (i = 0; i < kAll; ++i) {
    if (i == kFirst) bytes = resident_bytes();
    live(argv[1]);
  }
  CHECK(count_entries("/proc/self/fd") == descriptors, "%ld descriptors, %ld before",
        count_entries("/proc/self/fd"), descriptors);
  CHECK(count_entries("/proc/self/task") == threads, "%ld threads, %ld before",
        count_entries("/proc/self/task"), threads);
  CHECK(resident_bytes() - bytes <= kMostGrownBytes, "grown from %ld to %ld bytes", bytes,
        resident_bytes());
  printf("%d lives of a store: no memory, descriptor or thread is left\n", kAll);
  return 0;
}
