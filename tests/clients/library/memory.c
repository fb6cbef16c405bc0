/* Lets allocations fail during each function of recall.h: memory STORE DIRECTORY. A call then gives
 * the right answer, or the error for the lack of memory, and the same call succeeds afterwards.
 *
 * Each call is made without failures first, which gives the right answer and the number N of its
 * allocations. Then it is made with the allocation number 0, 1, 2, ... failing alone, and again
 * with all from that number on failing. Up to N the numbers grow by a part of themselves, so that
 * the number of calls grows with the logarithm of N. */

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "c_check.h"
#include "failing_malloc.h"

static const char* const kSettings = "{\"stable\": true, \"settings\": {\"threads\": 2}}";

static recall_store* store;
static const char* store_path;
static const char* directory;
static long calls_made; /* for names that are used once */

/* ---- The allocator of the host ---- */

static int host_fails;
static long host_blocks;

static void* take(size_t size, void* user) {
  void* const memory = host_fails ? NULL : malloc(size);
  (void)user;
  if (memory != NULL) ++host_blocks;
  return memory;
}

static void give(void* memory, void* user) {
  (void)user;
  --host_blocks;
  free(memory);
}

/* ---- Calls. Each returns the status; one that is not RECALL_OK has its error in *answer. ---- */

static int call_open(recall_answer** answer) {
  recall_store* other = NULL;
  const int status = recall_open(store_path, kSettings, &other, answer);
  CHECK((status == RECALL_OK) == (other != NULL), "status %d", status);
  recall_close(other);
  return status;
}

static int call_create(recall_answer** answer) {
  char path[4096];
  recall_store* made = NULL;
  int status = 0;
  snprintf(path, sizeof path, "%s/made-%ld.db", directory, calls_made);
  status = recall_open(path, "{\"create\": true, \"settings\": {\"embedding\": \"hash\"}}", &made,
                       answer);
  recall_close(made);
  unlink(path);
  return status;
}

static int call_progress(recall_answer** answer) {
  (void)answer; /* it has none */
  return recall_set_progress(store, NULL, NULL);
}

static int call_hits(recall_answer** answer) {
  recall_hits* hits = NULL;
  const int status =
      recall_search(store, "segments of an index", "{\"k\": 4}", NULL, &hits, answer);
  CHECK((status == RECALL_OK) == (hits != NULL), "status %d", status);
  if (status == RECALL_OK) CHECK(recall_count(hits) == 4, "%zu hits", recall_count(hits));
  recall_hits_free(hits);
  return status;
}

static int call_set(recall_answer** answer) {
  const char* const names[] = {"store.md", "segment.md"};
  recall_set* set = NULL;
  const int status = recall_set_new(RECALL_PATHS, names, 2, &set, answer);
  CHECK((status == RECALL_OK) == (set != NULL), "status %d", status);
  recall_set_free(set);
  return status;
}

static int call_context(recall_answer** answer) {
  return recall_context(store, "how are segments merged", 500, NULL, answer);
}

static int call_get(recall_answer** answer) {
  return recall_get(store, "text/heron", NULL, answer);
}

static int call_add_text(recall_answer** answer) {
  char path[64];
  const char* const text = "Herons stand still at the pond.";
  snprintf(path, sizeof path, "text/%ld", calls_made % 8);
  return recall_add_text(store, path, text, strlen(text), "{\"year\": 2024, \"of\": [1, {}]}", NULL,
                         0, answer);
}

static int call_add_lines(recall_answer** answer) {
  char lines[256];
  snprintf(lines, sizeof lines,
           "{\"path\": \"lines/1\", \"text\": \"Kingfisher %ld dives.\"}\n"
           "{\"path\": \"lines/2\", \"text\": \"Swan %ld glides.\", \"meta\": {\"a\": [1, 2]}}\n",
           calls_made, calls_made);
  return recall_add_lines(store, lines, strlen(lines), NULL, answer);
}

static int call_save(recall_answer** answer) {
  char title[64];
  snprintf(title, sizeof title, "Title %ld", calls_made);
  return recall_save(store, "lesson", title, title, "{\"id\": \"lesson-1\", \"replace\": true}",
                     answer);
}

static int call_files(const char* command, const char* form, recall_answer** answer) {
  char request[4200];
  snprintf(request, sizeof request, form, directory);
  return recall_call(store, command, request, answer);
}

static int call_backup(recall_answer** answer) {
  return call_files("backup", "{\"file\": \"%s/copy.db\", \"force\": true}", answer);
}

static int call_export(recall_answer** answer) {
  return call_files("export", "{\"out\": \"%s/lines.jsonl.zst\"}", answer);
}

/* A call of a function, or of recall_call. */
struct call {
  const char* name;
  int (*run)(recall_answer** answer); /* NULL: recall_call(name, request) */
  const char* request;
  int writes; /* answers differ from call to call */
};

static const struct call kCalls[] = {
    {"recall_open", call_open, NULL, 0},
    {"recall_open, create", call_create, NULL, 1},
    {"recall_set_progress", call_progress, NULL, 0},
    {"recall_search", call_hits, NULL, 0},
    {"recall_set_new", call_set, NULL, 0},
    {"recall_context", call_context, NULL, 0},
    {"recall_get", call_get, NULL, 0},
    {"search", NULL, "{\"query\": \"how are segments merged\", \"k\": 3, \"cite\": true}", 0},
    {"search", NULL, "{\"query\": \"segment\", \"filter\": \"doc.path LIKE '%s%'\"}", 0},
    {"similar", NULL, "{\"target\": \"text/heron\"}", 0},
    {"query", NULL, "{\"rql\": \"FROM doc FILTER doc.size > 1 SELECT doc.path, doc.size\"}", 0},
    {"grep", NULL, "{\"pattern\": \"seg[a-m]ents?\"}", 0},
    {"map", NULL, NULL, 0},
    {"links", NULL, "{\"target\": \"text/heron\"}", 0},
    {"ls", NULL, NULL, 0},
    {"stats", NULL, NULL, 1},
    {"doctor", NULL, NULL, 1},
    {"backup", call_backup, NULL, 1},
    {"export", call_export, NULL, 1},
    {"recall_add_text", call_add_text, NULL, 1},
    {"recall_add_lines", call_add_lines, NULL, 1},
    {"recall_save", call_save, NULL, 1},
    {"compact", NULL, NULL, 1},
};

static int run(const struct call* call, recall_answer** answer) {
  ++calls_made;
  *answer = NULL;
  if (call->run != NULL) return call->run(answer);
  return recall_call(store, call->name, call->request, answer);
}

/* ---- What is running, if the process dies ---- */

static char present[256];

static void say_present(int number) {
  const ssize_t ignored = write(STDERR_FILENO, present, strlen(present));
  (void)ignored;
  signal(number, SIG_DFL);
  raise(number);
}

/* ---- Checks ---- */

static long errors_seen;
static long answers_seen;

/* Makes a call without failures. Returns: its answer as JSON, "" if there is none; to be freed. */
static char* right_answer(const struct call* call) {
  recall_answer* answer = NULL;
  const int status = run(call, &answer);
  char* const json = strdup(recall_json(answer, NULL));
  CHECK(status == RECALL_OK, "%s: status %d: %s", present, status, json);
  recall_free(answer);
  return json;
}

/* Whether a call without memory did what it may. */
static void check_answer(const struct call* call, int status, recall_answer* answer,
                         const char* right) {
  const recall_error* const error = recall_error_of(answer);
  if (status == RECALL_OK) {
    ++answers_seen;
    CHECK(call->writes || strcmp(recall_json(answer, NULL), right) == 0, "%s: %s", present,
          recall_json(answer, NULL));
    return;
  }
  ++errors_seen;
  if (call->run == call_progress) {
    CHECK(status == RECALL_USAGE, "%s: status %d", present, status);
    return;
  }
  CHECK(error != NULL && error->status == status, "%s: status %d", present, status);
  if (status == RECALL_USAGE && strcmp(error->code, "limit_exceeded") == 0) return;
  /* A call of the system had no memory, and the error is of the file that it was about. */
  CHECK(strcmp(error->code, "io_error") == 0 && strstr(error->message, strerror(ENOMEM)) != NULL,
        "%s: %s", present, recall_json(answer, NULL));
}

static void fail_at_number(const struct call* call, enum failing how, long at, const char* right) {
  recall_answer* answer = NULL;
  int status = 0;
  char* again = NULL;
  snprintf(present, sizeof present, "%s %s, allocation %ld%s\n", call->name,
           call->request == NULL ? "" : call->request, at,
           how == FAILS_ONCE ? "" : " and all that follow");
  fail_allocations(how, at);
  status = run(call, &answer);
  end_of_failures();
  check_answer(call, status, answer, right);
  recall_free(answer);
  again = right_answer(call);
  CHECK(call->writes || strcmp(again, right) == 0, "%s: then: %s", present, again);
  free(again);
}

static void check_call(const struct call* call) {
  char* right = NULL;
  long count = 0;
  long at = 0;
  const long part = WATCHED ? 3 : call->writes ? 8 : 24;
  snprintf(present, sizeof present, "%s", call->name);
  free(right_answer(call)); /* what is made once and kept */
  fail_allocations(FAILS_NEVER, 0);
  right = right_answer(call);
  count = end_of_failures();
  for (at = 0; at < count; at += 1 + at / part) {
    fail_at_number(call, FAILS_ONCE, at, right);
    fail_at_number(call, FAILS_FROM_THEN_ON, at, right);
  }
  free(right);
}

/* The same where the functions of recall_set_allocator fail. */
static void check_host_allocator(const struct call* call) {
  recall_answer* answer = NULL;
  int status = 0;
  char* right = NULL;
  snprintf(present, sizeof present, "%s, the allocator of the host", call->name);
  right = right_answer(call);
  CHECK(host_blocks == 0, "%s: %ld blocks", present, host_blocks);
  host_fails = 1;
  status = run(call, &answer);
  host_fails = 0;
  check_answer(call, status, answer, right);
  recall_free(answer);
  CHECK(host_blocks == 0, "%s: %ld blocks", present, host_blocks);
  free(right_answer(call));
  free(right);
}

int main(int argc, char** argv) {
  const size_t calls = sizeof kCalls / sizeof kCalls[0];
  const char* const heron = "Herons stand still at the pond, and wait for a segment of fish.";
  recall_answer* answer = NULL;
  size_t i = 0;
  CHECK(argc == 3, "memory STORE DIRECTORY");
  store_path = argv[1];
  directory = argv[2];
  spare_allocations_of("libroaring"); /* it does not look whether they fail */
  if (WATCHED)
    spare_allocations_of("/libc.so"); /* which the sanitizer calls, and ends if they do */
  signal(SIGSEGV, say_present);
  signal(SIGABRT, say_present);
  CHECK(recall_set_allocator(take, give, NULL) == RECALL_OK, "too late");
  CHECK(recall_open(store_path, kSettings, &store, &answer) == RECALL_OK, "%s",
        recall_json(answer, NULL));
  CHECK(recall_add_text(store, "text/heron", heron, strlen(heron), NULL, NULL, 0, NULL) == 0,
        "add");
  for (i = 0; i < calls; ++i) check_host_allocator(&kCalls[i]);
  for (i = 0; i < calls; ++i) check_call(&kCalls[i]);
  fail_allocations(FAILS_FROM_THEN_ON, 0);
  recall_close(store);
  CHECK(strcmp(recall_version(), "") != 0, "no version");
  end_of_failures();
  CHECK(errors_seen > 0 && answers_seen > 0, "%ld errors, %ld answers", errors_seen, answers_seen);
  printf("%zu calls without memory: %ld right answers, %ld errors, no crash\n", calls, answers_seen,
         errors_seen);
  return 0;
}
