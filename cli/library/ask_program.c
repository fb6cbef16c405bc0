/* Opens a store, adds a text, and answers a question: hits with their citations, then a context.
 *
 *     cc -o ask ask_program.c $(pkg-config --cflags --libs recall)
 *     ./ask notes.db birds/heron heron.txt 'who stands still at the pond'
 *
 * The exit status is that of the first call that fails. docs/c-api.md is the tutorial.
 */
#include <recall.h>
#include <stdio.h>

enum { kMostText = 1 << 20, kHits = 3, kBudgetTokens = 200 };

/* Prints why a call failed, and what to do. Frees the answer. Returns the status. */
static int report(const char* call, int status, recall_answer* answer) {
  const recall_error* error = recall_error_of(answer);
  if (error != NULL) {
    fprintf(stderr, "%s: %s (%s)\n", call, error->message, error->code);
    if (error->excerpt[0] != '\0') fprintf(stderr, "%s\n", error->excerpt);
    if (error->hint[0] != '\0') fprintf(stderr, "hint: %s\n", error->hint);
  }
  recall_free(answer);
  return status;
}

static int add(recall_store* store, const char* path, const char* file_name) {
  static char text[kMostText];
  recall_answer* answer;
  size_t size;
  int status;
  FILE* file = fopen(file_name, "rb");
  if (file == NULL) {
    perror(file_name);
    return RECALL_ENVIRONMENT;
  }
  size = fread(text, 1, sizeof(text), file);
  fclose(file);
  status = recall_add_text(store, path, text, size, "{\"by\": \"ask\"}", NULL, 0, &answer);
  if (status != RECALL_OK) return report("add", status, answer);
  recall_free(answer);
  return RECALL_OK;
}

static int print_hits(recall_store* store, const char* question) {
  char request[32];
  recall_hits* hits;
  recall_answer* answer;
  const recall_hit* hit;
  int status;
  snprintf(request, sizeof(request), "{\"k\": %d}", kHits);
  status = recall_search(store, question, request, NULL, &hits, &answer);
  if (status != RECALL_OK) return report("search", status, answer);
  while ((hit = recall_next(hits)) != NULL) {
    printf("%.3f  %s\n%.*s\n", hit->score, hit->citation, (int)hit->snippet_size, hit->snippet);
  }
  recall_hits_free(hits);
  return RECALL_OK;
}

static int print_context(recall_store* store, const char* question) {
  recall_answer* answer;
  const int status = recall_context(store, question, kBudgetTokens, NULL, &answer);
  if (status != RECALL_OK) return report("context", status, answer);
  fputs(recall_json(answer, NULL), stdout);
  recall_free(answer);
  return RECALL_OK;
}

int main(int argc, char** argv) {
  recall_store* store;
  recall_answer* answer;
  int status;
  if (argc != 5) {
    fprintf(stderr, "usage: ask STORE PATH FILE QUESTION\n");
    return RECALL_USAGE;
  }
  status = recall_open(argv[1], "{\"create\": true}", &store, &answer);
  if (status != RECALL_OK) return report("open", status, answer);
  status = add(store, argv[2], argv[3]);
  if (status == RECALL_OK) status = print_hits(store, argv[4]);
  if (status == RECALL_OK) status = print_context(store, argv[4]);
  recall_close(store);
  return status;
}
