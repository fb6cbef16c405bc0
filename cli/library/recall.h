/* recall.h: Recall as a library, librecall.
 *
 * A store is opened, asked and closed in the process of the host. What the program `recall` does by
 * commands, recall_call does by the same code: its answers are the bytes that the command prints
 * with --json (docs/json.md; schemas in docs/schema). A handful of functions is faster or easier to
 * call than that: recall_search gives hits as structs, recall_add_text takes a text as it is.
 *
 * Texts.    UTF-8. A text without a size ends with a zero byte.
 * Status.   Functions that can fail return the exit status of the program: RECALL_OK or another one
 *           of enum recall_status. Where they take `answer`, *answer is set to an answer that the
 *           caller frees, also if they fail; `answer` may be NULL if none is wanted.
 * Threads.  By default a store may be used by several threads, whose calls wait for each other;
 *           with "threads": "single" it belongs to one thread at a time, and a second one gets an
 *           error. For searches at the same time, open the store several times. Answers, hits and
 *           sets belong to one thread at a time. recall_cancel may be called from any thread, and
 *           from a signal handler. A store must not be used after fork(2) in the child.
 * Host.     The library does not exit, print, read standard input, nor change signals, locale,
 *           umask, working directory or limits of the process. Variables of the environment named
 *           RECALL_... have no effect unless the option "settings_from" says so.
 *
 * docs/c-api.md is a tutorial, and says what differs from the program.
 *
 * The interface only grows: functions, members at the end of structs that the library makes, and
 * values of enumerations are added. recall_abi_version says how far it has grown.
 */
#ifndef RECALL_H
#define RECALL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RECALL_API __attribute__((visibility("default")))
#else
#define RECALL_API
#endif

/* The version of this interface, for the preprocessor. */
#define RECALL_ABI_VERSION 1

/* The exit statuses of the program. None is ever changed or used for something else. */
enum recall_status {
  RECALL_OK = 0,          /* also if a search has no hits */
  RECALL_ABSENT = 1,      /* what was asked for does not exist, or differs from what was expected */
  RECALL_USAGE = 2,       /* the request or a setting is wrong, or exceeds a limit, as of memory */
  RECALL_ENVIRONMENT = 3, /* no store, no permission, no space, unreadable files */
  RECALL_CORRUPT = 4,     /* the store is damaged, or has an unknown format */
  RECALL_BUSY = 5,        /* another process holds the store; trying again may succeed */
  RECALL_INTERRUPTED = 130 /* by recall_cancel, or by the function for progress */
};

typedef struct recall_store recall_store;   /* an open store */
typedef struct recall_answer recall_answer; /* a JSON text, with its error if it is one */
typedef struct recall_hits recall_hits;     /* the hits of a search, best first */
typedef struct recall_set recall_set;       /* documents that searches are restricted to */

/* ---- The library --------------------------------------------------------------------------- */

/* The version of the library: "0.3.0". Static storage.
 *
 *     printf("librecall %s\n", recall_version());
 */
RECALL_API const char* recall_version(void);

/* The RECALL_ABI_VERSION of the library that is loaded. If it is at least that of the header, all
 * functions of the header exist.
 *
 *     if (recall_abi_version() < RECALL_ABI_VERSION) return 1;
 */
RECALL_API int recall_abi_version(void);

/* Sets the functions that allocate and release what the library returns: answers, hits and sets.
 * `allocate` returns memory for any type, or NULL. Both may be called on any thread that calls the
 * library. Call it before any other function but recall_version and recall_abi_version; later it
 * returns RECALL_USAGE and changes nothing. Stores, and what they need while they work, are
 * allocated with malloc.
 *
 *     static void *take(size_t size, void *user) { (void)user; return malloc(size); }
 *     static void give(void *memory, void *user) { (void)user; free(memory); }
 *
 *     recall_set_allocator(take, give, NULL);
 */
RECALL_API int recall_set_allocator(void* (*allocate)(size_t size, void* user),
                                    void (*release)(void* memory, void* user), void* user);

/* ---- Stores -------------------------------------------------------------------------------- */

/* Opens the store at `path`: a file, a directory with recall.db in it, or the address of a store on
 * a server. *store is NULL if it fails. `options`: NULL, or a JSON object with these members:
 *
 *   "create"         true: makes the store, and its directory, if there is none
 *   "settings"       an object with keys of recall.toml: {"threads": 2, "embedding": "hash"}
 *   "settings_from"  "store" (default): also those of the recall.toml beside the store; "user": as
 *                    the program does, also the user's own and RECALL_... variables; "none"
 *   "settings_file"  a file that is read instead of any recall.toml, as --config
 *   "threads"        "serialized" (default) or "single"
 *   "program"        path of the program `recall`, for the confined processes that extract PDF,
 *                    HTML and office documents, and find definitions in source code. Without it no
 *                    such process is started: add takes HTML as its source, skips what is no text,
 *                    and cuts source code at lines that look like definitions
 *   "scope"          a filter (docs/rql.md): documents that do not satisfy it do not exist
 *   "hide_private"   true: nor do notes with `sensitivity: private`
 *   "stable"         true: answers leave out what differs from run to run, as --stable
 *
 *     recall_store *store;
 *     recall_answer *answer;
 *     if (recall_open("notes.db", "{\"create\": true}", &store, &answer) != RECALL_OK) {
 *       fprintf(stderr, "%s\n", recall_error_of(answer)->message);
 *       recall_free(answer);
 *       return 1;
 *     }
 *
 * After success *answer is NULL.
 */
RECALL_API int recall_open(const char* path, const char* options, recall_store** store,
                           recall_answer** answer);

/* Closes a store. No other call may be running or waiting. NULL is allowed. Answers, hits and sets
 * live on.
 *
 *     recall_close(store);
 */
RECALL_API void recall_close(recall_store* store);

/* Ends the call that is running, soon, with RECALL_INTERRUPTED; what it has committed stays. Calls
 * that wait for it are not ended. Without a running call it does nothing. Async-signal-safe, so it
 * may be called by a signal handler.
 *
 *     recall_cancel(store);
 */
RECALL_API void recall_cancel(recall_store* store);

/* What a running call tells of itself. */
typedef struct recall_progress {
  const char* command; /* "add" */
  const char* stage;   /* "documents", "derived", or a stage of a search: "bm25.search" */
  int64_t done;        /* documents, or steps */
  int64_t total;       /* 0: not known */
} recall_progress;

/* Sets a function that running calls tell of their progress, about ten times a second at most and
 * when stages of a search end; NULL: none. It is called on the thread of the call. If it returns
 * another number than 0, the call ends as by recall_cancel. It may call recall_cancel and nothing
 * else of the store, and must not throw or jump out.
 *
 *     static int show(const recall_progress *progress, void *user) {
 *       fprintf((FILE *)user, "%s: %lld\n", progress->stage, (long long)progress->done);
 *       return 0;
 *     }
 *
 *     recall_set_progress(store, show, stderr);
 */
RECALL_API int recall_set_progress(recall_store* store,
                                   int (*progress)(const recall_progress* progress, void* user),
                                   void* user);

/* ---- Answers ------------------------------------------------------------------------------- */

/* The JSON text of an answer, as the command prints it with --json; that of an error has the member
 * "error". Ends with a zero byte, which *size, if it is not NULL, does not count. Valid until the
 * answer is freed.
 *
 *     size_t size;
 *     const char *json = recall_json(answer, &size);
 *     fwrite(json, 1, size, stdout);
 */
RECALL_API const char* recall_json(const recall_answer* answer, size_t* size);

/* Why a call failed, or what failed of it. Texts are "" if there are none. */
typedef struct recall_error {
  int status;          /* one of enum recall_status */
  const char* code;    /* "not_found", "invalid_argument", ... (docs/json.md, "error") */
  const char* message; /* a sentence without a full stop */
  const char* hint;    /* what to do next */
  int64_t line;        /* of a query, a filter or a file, from 1; 0: none */
  int64_t column;      /* in characters, from 1; 0: the whole line */
  const char* excerpt; /* that line, and below it a caret under the column */
} recall_error;

/* The error of an answer; NULL if there is none, or `answer` is NULL. Valid until the answer is
 * freed.
 *
 *     const recall_error *error = recall_error_of(answer);
 *     if (error != NULL) fprintf(stderr, "%s: %s\n", error->code, error->message);
 */
RECALL_API const recall_error* recall_error_of(const recall_answer* answer);

/* Frees an answer. NULL is allowed.
 *
 *     recall_free(answer);
 */
RECALL_API void recall_free(recall_answer* answer);

/* ---- Commands ------------------------------------------------------------------------------ */

/* Runs a command of the program. `request`: NULL, or a JSON object whose members are the flags of
 * the command, with '_' for '-', and its arguments in lower case, as for POST /v1/COMMAND
 * (docs/http.md, "Bodies"); flags that name files are members, too. Commands: search sessions
 * similar context query grep symbols map related get ls stats links stale add rm compact embed save
 * link unlink used review retire suggest import merge export backup doctor.
 *
 *     if (recall_call(store, "query", "{\"rql\": \"FROM doc SELECT doc.path\"}", &answer) == 0) {
 *       puts(recall_json(answer, NULL));
 *     }
 *     recall_free(answer);
 */
RECALL_API int recall_call(recall_store* store, const char* command, const char* request,
                           recall_answer** answer);

/* Packs the best passages for a question into `budget` tokens, as the command `context`. `request`:
 * NULL, or more members.
 *
 *     recall_context(store, "how are segments merged", 2000, NULL, &answer);
 */
RECALL_API int recall_context(recall_store* store, const char* query, int64_t budget,
                              const char* request, recall_answer** answer);

/* Reads a document, lines of it or a citation, as the command `get`. `request`: NULL, or more
 * members.
 *
 *     if (recall_get(store, "notes/a.md:3-9", NULL, &answer) == RECALL_ABSENT) puts("none");
 */
RECALL_API int recall_get(recall_store* store, const char* target, const char* request,
                          recall_answer** answer);

/* ---- Writing ------------------------------------------------------------------------------- */

/* Adds a text as the document `path`, in place of an older one. `metadata`: NULL, or a JSON object.
 * `vector`: NULL, or the `dimensions` components of its vector, for a store that was made with
 * "embedding": "given". The answer is that of the command `add`. Each call is a commit: to add many
 * texts, use recall_add_lines.
 *
 *     const char *text = "Herons stand still.";
 *     recall_add_text(store, "birds/heron", text, strlen(text), "{\"year\": 2024}", NULL, 0, NULL);
 */
RECALL_API int recall_add_text(recall_store* store, const char* path, const char* text,
                               size_t text_size, const char* metadata, const float* vector,
                               size_t dimensions, recall_answer** answer);

/* Adds documents, a JSON object a line, as `recall add --jsonl` (docs/cli/add.md, "Documents as
 * lines"): path, text, and if wanted tag, source, mtime, meta, embedding, lang. `request`: NULL, or
 * members of `add` for all of them. The lines are not copied.
 *
 *     const char *lines =
 *         "{\"path\": \"a\", \"text\": \"Herons stand still.\"}\n"
 *         "{\"path\": \"b\", \"text\": \"Kingfishers dive.\"}\n";
 *     recall_add_lines(store, lines, strlen(lines), NULL, &answer);
 */
RECALL_API int recall_add_lines(recall_store* store, const char* lines, size_t size,
                                const char* request, recall_answer** answer);

/* Saves a note, as the command `save`. `request`: NULL, or more members, as tags and summary.
 *
 *     recall_save(store, "decision", "We keep one file", "It is recall.db.", NULL, &answer);
 */
RECALL_API int recall_save(recall_store* store, const char* type, const char* title,
                           const char* text, const char* request, recall_answer** answer);

/* ---- Searching ----------------------------------------------------------------------------- */

/* What the paths of a set are. */
enum recall_set_of {
  RECALL_PATHS = 0,    /* paths of documents, as in answers */
  RECALL_DOCUMENTS = 1 /* ids of documents: `doc.id`, 64 hexadecimal digits */
};

/* Makes a set of documents, for recall_search: at most 4096. Of another store it may be as well.
 *
 *     const char *paths[] = {"a", "b"};
 *     recall_set *set;
 *     recall_set_new(RECALL_PATHS, paths, 2, &set, NULL);
 */
RECALL_API int recall_set_new(enum recall_set_of of, const char* const* names, size_t count,
                              recall_set** set, recall_answer** answer);

/* Frees a set. NULL is allowed.
 *
 *     recall_set_free(set);
 */
RECALL_API void recall_set_free(recall_set* set);

/* A hit: a chunk of a document. Texts that end with a zero byte are "" if there are none. */
typedef struct recall_hit {
  double score;         /* from 0 to 1 */
  const char* path;     /* of the document */
  const char* citation; /* path@hash:9-17, which recall_get reads and checks */
  const char* document; /* id of the document */
  const char* chunk;    /* id of the chunk */
  uint32_t first_line;  /* of the chunk in the document, from 1 */
  uint32_t last_line;
  uint64_t start_byte; /* of the chunk in the text of the document */
  uint64_t end_byte;   /* behind its last one */
  const char* heading;
  const char* text; /* of the chunk; also ends with a zero byte */
  size_t text_size;
  const char* snippet; /* the part of it that shows best why it was found */
  size_t snippet_size;
  uint32_t snippet_first_line;
  uint32_t snippet_last_line;
  const char* place;    /* in a document of another format: "pp. 12-13" */
  const char* metadata; /* JSON object of the document */
  const char* tag;
  const char* source;
  int stale; /* the file of the document has changed since (1), or is gone (2) */
} recall_hit;

/* Searches, as the command `search`, and gives the hits as structs, best first. `request`: NULL, or
 * more members: "k" (8 if it is missing), "filter", "embedding", ... `set`: NULL, or the documents
 * among which to search; those outside are not ranked at all. After an error *hits is NULL, and
 * *answer the error; after success *answer is NULL.
 *
 *     recall_hits *hits;
 *     if (recall_search(store, "standing birds", "{\"k\": 3}", set, &hits, NULL) == RECALL_OK) {
 *       const recall_hit *hit;
 *       while ((hit = recall_next(hits)) != NULL) printf("%.2f %s\n", hit->score, hit->citation);
 *       recall_hits_free(hits);
 *     }
 */
RECALL_API int recall_search(recall_store* store, const char* query, const char* request,
                             const recall_set* set, recall_hits** hits, recall_answer** answer);

/* The next hit; NULL behind the last one. Valid until the hits are freed.
 *
 *     const recall_hit *best = recall_next(hits);
 *     if (best != NULL) puts(best->text);
 */
RECALL_API const recall_hit* recall_next(recall_hits* hits);

/* The number of hits, and a hit by its place, from 0; NULL if there is none.
 *
 *     size_t i;
 *     for (i = 0; i < recall_count(hits); ++i) puts(recall_hit_at(hits, i)->path);
 */
RECALL_API size_t recall_count(const recall_hits* hits);
RECALL_API const recall_hit* recall_hit_at(const recall_hits* hits, size_t place);

/* Frees hits. NULL is allowed.
 *
 *     recall_hits_free(hits);
 */
RECALL_API void recall_hits_free(recall_hits* hits);

#ifdef __cplusplus
}
#endif

#endif /* RECALL_H */
