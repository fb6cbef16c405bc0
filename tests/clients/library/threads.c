/* Eight threads search and add, each with a handle of its own, and then over one handle:
 * threads STORE. Their answers are those of one thread. */

#include <pthread.h>
#include <string.h>

#include "c_check.h"

enum { kThreads = 8, kRounds = 20 };

static const char* const kSettings = "{\"stable\": true}";

/* Questions whose results do not change while documents of `text/` are added. */
static const char* const kQuestions[][2] = {
    {"grep", "{\"pattern\": \"segment\", \"filter\": \"NOT doc.path LIKE 'text/%'\"}"},
    {"query",
     "{\"rql\": \"FROM doc FILTER NOT doc.path LIKE 'text/%' SELECT doc.path, doc.size\"}"},
};
enum { kQuestionCount = sizeof kQuestions / sizeof kQuestions[0] };

/* Searches of a store that does not change. */
static const char* const kSearches[][2] = {
    {"search", "{\"query\": \"how are segments merged\", \"k\": 5}"},
    {"context", "{\"query\": \"what does a page contain\", \"budget_tokens\": 800}"},
    {"search", "{\"query\": \"heron pond\", \"k\": 3, \"bm25\": true}"},
};
enum { kSearchCount = sizeof kSearches / sizeof kSearches[0] };

static char* right_questions[kQuestionCount];
static char* right_searches[kSearchCount];

struct worker {
  pthread_t thread;
  recall_store* store;
  int number;
};

static recall_store* open_store(const char* path) {
  recall_store* store = NULL;
  recall_answer* answer = NULL;
  CHECK(recall_open(path, kSettings, &store, &answer) == RECALL_OK, "%s",
        recall_json(answer, NULL));
  return store;
}

/* Removes what is not of the results: the state of the store. */
static void keep_results(char* json) {
  char* const begin = strstr(json, "\"results\":");
  char* const end = strstr(json, ",\"stats\":");
  CHECK(begin != NULL && end != NULL && begin < end, "%s", json);
  *end = '\0';
  memmove(json, begin, strlen(begin) + 1);
}

/* Returns: the JSON of the answer, to be freed. */
static char* ask(recall_store* store, const char* const question[2]) {
  recall_answer* answer = NULL;
  char* json = NULL;
  const int status = recall_call(store, question[0], question[1], &answer);
  CHECK(status == RECALL_OK, "%s: %s", question[0], recall_json(answer, NULL));
  json = strdup(recall_json(answer, NULL));
  recall_free(answer);
  return json;
}

static void expect(const char* const question[2], const char* json, const char* right) {
  CHECK(strcmp(json, right) == 0, "%s %s: %s", question[0], question[1], json);
}

static void* search_and_add(void* argument) {
  struct worker* const self = argument;
  int round = 0;
  for (round = 0; round < kRounds; ++round) {
    const int question = (round + self->number) % kQuestionCount;
    char path[64];
    char* json = NULL;
    const char* const text = "Herons stand still at the pond.";
    recall_answer* answer = NULL;
    recall_hits* hits = NULL;
    snprintf(path, sizeof path, "text/%d-%d", self->number, round);
    CHECK(
        recall_add_text(self->store, path, text, strlen(text), NULL, NULL, 0, &answer) == RECALL_OK,
        "%s", recall_json(answer, NULL));
    recall_free(answer);
    json = ask(self->store, kQuestions[question]);
    keep_results(json);
    expect(kQuestions[question], json, right_questions[question]);
    free(json);
    /* What this thread has added is there. Equal texts are one hit. */
    CHECK(recall_get(self->store, path, NULL, NULL) == RECALL_OK, "%s is missing", path);
    CHECK(recall_search(self->store, "herons", "{\"k\": 5}", NULL, &hits, &answer) == RECALL_OK,
          "%s", recall_json(answer, NULL));
    CHECK(recall_count(hits) > 0, "no hit");
    recall_hits_free(hits);
  }
  return NULL;
}

static void* search(void* argument) {
  struct worker* const self = argument;
  int round = 0;
  for (round = 0; round < kRounds; ++round) {
    const int question = (round + self->number) % kSearchCount;
    char* const json = ask(self->store, kSearches[question]);
    expect(kSearches[question], json, right_searches[question]);
    free(json);
  }
  return NULL;
}

static void run_all(struct worker* workers, void* (*work)(void*)) {
  int i = 0;
  for (i = 0; i < kThreads; ++i) {
    CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0, "no thread");
  }
  for (i = 0; i < kThreads; ++i) pthread_join(workers[i].thread, NULL);
}

/* Checks that all documents are there which the workers have added. */
static void expect_texts(recall_store* store, int first) {
  int i = 0;
  for (i = 0; i < kThreads * kRounds; ++i) {
    char path[64];
    snprintf(path, sizeof path, "text/%d-%d", first + i / kRounds, i % kRounds);
    CHECK(recall_get(store, path, NULL, NULL) == RECALL_OK, "%s is lost", path);
  }
}

/* `first`: the number of the first worker, for the names of what it adds. */
static void check(const char* path, int own_handles, int first) {
  recall_store* const shared = open_store(path);
  struct worker workers[kThreads];
  int i = 0;
  for (i = 0; i < kQuestionCount; ++i) {
    right_questions[i] = ask(shared, kQuestions[i]);
    keep_results(right_questions[i]);
  }
  for (i = 0; i < kThreads; ++i) {
    workers[i].store = own_handles ? open_store(path) : shared;
    workers[i].number = first + i;
  }
  run_all(workers, search_and_add);
  expect_texts(shared, first);
  for (i = 0; i < kSearchCount; ++i) right_searches[i] = ask(shared, kSearches[i]);
  run_all(workers, search);
  for (i = 0; i < kThreads && own_handles; ++i) recall_close(workers[i].store);
  for (i = 0; i < kQuestionCount; ++i) free(right_questions[i]);
  for (i = 0; i < kSearchCount; ++i) free(right_searches[i]);
  recall_close(shared);
}

int main(int argc, char** argv) {
  CHECK(argc == 2, "threads STORE");
  check(argv[1], 1, 0);
  check(argv[1], 0, kThreads);
  printf("%d threads, with handles of their own and over one: the answers of one thread\n",
         kThreads);
  return 0;
}
