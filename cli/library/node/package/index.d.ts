// Recall in Node.js: docs/node.md. Answers are those of the command line with --json: docs/json.md.
/// <reference lib="esnext.disposable" />

/** The version of the package. */
export const version: string;
/** The version of librecall, which is loaded if it was not yet. */
export function libraryVersion(): string;
/** The path of the program `recall` of this package. Throws an Error if it is not installed. */
export function programPath(): string;

/** Opens a store. Rejects with a RecallError, and with the reason of an aborted signal. */
export function open(path: string | FileUrl, options?: OpenOptions & {signal?: Signal}): Promise<Store>;
export function openSync(path: string | FileUrl, options?: OpenOptions): Store;

/** A URL with `file:`. */
export interface FileUrl {
  readonly href: string;
  readonly protocol: string;
}

export interface OpenOptions {
  /** Make the store, and its directory, if there is none. */
  create?: boolean;
  /** Keys of recall.toml: {embedding: 'hash', threads: 2}. */
  settings?: Record<string, string | number | boolean | null>;
  /** 'store' (default): also the recall.toml beside the store; 'user': as the program; 'none'. */
  settingsFrom?: 'store' | 'user' | 'none';
  /** A file that is read instead of any recall.toml. */
  settingsFile?: string;
  /** Path of the program that extracts documents. Default: that of this package; null: none. */
  program?: string | null;
  /** A filter: documents that do not satisfy it do not exist. */
  scope?: string;
  /** Nor do notes with `sensitivity: private`. */
  hidePrivate?: boolean;
  /** Answers leave out what differs from run to run. */
  stable?: boolean;
}

/** An AbortSignal. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: {once?: boolean}): void;
  removeEventListener(type: 'abort', listener: () => void): void;
  throwIfAborted(): void;
}

export interface Progress {
  /** 'add', 'search', ... */
  command: string;
  /** 'documents', 'derived', or a stage of a search that has ended. */
  stage: string;
  /** Documents, or steps. */
  done: number;
  /** 0: not known. */
  total: number;
}

/** Options of the call itself; all others are members of its request. */
export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. */
  signal?: Signal;
  /** Called a few times a second at most. If it throws, the call ends and fails with what was thrown. */
  onProgress?: (progress: Progress) => void;
}

/** Further members of a request: flags of the command, as minScore or min_score for --min-score. */
export interface Flags {
  [flag: string]: unknown;
}

export type Vector = Float32Array | readonly number[];

export interface SearchOptions extends CallOptions, Flags {
  /** The number of hits. Default: 8. */
  k?: number;
  /** The number of hits to leave out before them. */
  offset?: number;
  /** A filter (docs/rql.md). */
  filter?: string;
  /** Documents among which to search; names are paths. */
  within?: DocumentSet | Iterable<string>;
  /** The vector of the query, of a store with embedding "given". */
  embedding?: Vector;
  minScore?: number;
  /** Bytes of a snippet; 0: none. */
  snippet?: number;
  snapshot?: string;
}

export interface HitsOptions extends SearchOptions {
  /** The number of hits of a page. Default: 20. */
  k?: number;
}

/** A chunk of a document. */
export interface Hit {
  /** From 0 to 1. */
  score: number;
  path: string;
  /** path@hash:9-17, which get() reads and checks. */
  citation: string;
  /** The id of the document. */
  document: string;
  /** The id of the chunk. */
  chunk: string;
  /** From 1. */
  firstLine: number;
  lastLine: number;
  /** Bytes of the document in UTF-8. */
  startByte: number;
  endByte: number;
  heading: string;
  text: string;
  /** The part of the text that shows best why it was found. */
  snippet: string;
  snippetFirstLine: number;
  snippetLastLine: number;
  /** In a document of another format: 'pp. 12-13'. */
  place: string | null;
  metadata: Record<string, unknown>;
  tag: string | null;
  source: string | null;
  /** The file has changed since, or is gone. */
  stale: 'changed' | 'deleted' | null;
}

/** The answer of a command: docs/json.md. */
export interface Answer {
  ok: boolean;
  schema_version: string;
  warnings?: string[];
  stats?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface DocumentFields {
  id: string;
  path: string;
  mtime: string | null;
  hash: string;
  tag: string | null;
  source: string | null;
  meta?: Record<string, unknown>;
  size: number;
  tokens: number;
  chunks: number;
  [field: string]: unknown;
}

export interface ChunkFields {
  id: string;
  doc_id: string;
  text: string;
  heading: string;
  start_byte: number;
  end_byte: number;
  start_line: number;
  end_line: number;
  [field: string]: unknown;
}

export interface GetAnswer extends Answer {
  /** Of one target. */
  get?: {doc: DocumentFields; chunk: ChunkFields; [member: string]: unknown};
  /** Of several targets. */
  results?: Array<{target: string; doc?: DocumentFields; chunk?: ChunkFields; [member: string]: unknown}>;
}

/** The fields that SELECT names. */
export interface Row {
  score?: number;
  doc?: Partial<DocumentFields>;
  chunk?: Partial<ChunkFields>;
  [member: string]: unknown;
}

export interface QueryAnswer extends Answer {
  query: {rql: string; limit: number; offset: number; snapshot: string; [member: string]: unknown};
  results: Row[];
  next_offset?: number;
}

export interface ContextAnswer extends Answer {
  context: {
    text: string;
    budget_tokens: number;
    used_tokens: number;
    chunks: Array<{path: string; text: string; start_line: number; end_line: number; [member: string]: unknown}>;
    [member: string]: unknown;
  };
}

export interface AddAnswer extends Answer {
  add: {added: number; updated: number; unchanged: number; [member: string]: unknown};
}

/** A document that is added: a line of `recall add --jsonl`. */
export interface NewDocument {
  path: string;
  text: string;
  tag?: string | null;
  source?: string | null;
  mtime?: string | Date | null;
  metadata?: Record<string, unknown> | null;
  /** Of a store with embedding "given". */
  vector?: Vector | null;
  lang?: string | null;
}

export interface TextOptions extends CallOptions {
  metadata?: Record<string, unknown> | null;
  /** Of a store with embedding "given". */
  vector?: Vector | null;
}

export interface ContextOptions extends CallOptions, Flags {
  budgetTokens?: number;
  filter?: string;
  embedding?: Vector;
}

export interface QueryOptions extends CallOptions, Flags {
  snapshot?: string;
  embedding?: Vector;
}

export interface RowsOptions extends QueryOptions {
  /** Rows that are read at a time. Default: 500. */
  pageSize?: number;
}

export interface SaveOptions extends CallOptions, Flags {
  tags?: string | readonly string[];
  summary?: string;
}

export type Options = CallOptions & Flags;

/**
 * A store. Calls of it wait for each other, on a thread of its own; for searches at the same time, open it several
 * times. Functions with Sync in their names wait, and hold up the event loop.
 */
export class Store {
  private constructor();
  readonly path: string;
  readonly closed: boolean;

  /** The hits, best first. */
  search(query: string, options?: SearchOptions): Promise<Hit[]>;
  searchSync(query: string, options?: SearchOptions): Hit[];
  /** All hits, best first, read a page at a time, of one state of the store. */
  hits(query: string, options?: HitsOptions): AsyncGenerator<Hit, void, undefined>;

  /** Runs an RQL query (docs/rql.md). */
  query(rql: string, options?: QueryOptions): Promise<QueryAnswer>;
  querySync(rql: string, options?: QueryOptions): QueryAnswer;
  /** The rows, read a page at a time, of one state of the store: all of them, or as many as LIMIT says. */
  rows(rql: string, options?: RowsOptions): AsyncGenerator<Row, void, undefined>;

  /** Packs the best passages for a question into a budget of tokens. */
  context(query: string, options?: ContextOptions): Promise<ContextAnswer>;
  contextSync(query: string, options?: ContextOptions): ContextAnswer;
  /** Reads documents, lines of them or citations. */
  get(target: string | readonly string[], options?: Options): Promise<GetAnswer>;
  getSync(target: string | readonly string[], options?: Options): GetAnswer;

  /** Adds documents, in place of older ones with these paths. */
  add(documents: Iterable<NewDocument> | AsyncIterable<NewDocument>, options?: Options): Promise<AddAnswer>;
  addSync(documents: Iterable<NewDocument>, options?: Options): AddAnswer;
  /** The same of lines of JSON (docs/cli/add.md, "Documents as lines"). */
  addLines(lines: string | Uint8Array, options?: Options): Promise<AddAnswer>;
  addLinesSync(lines: string | Uint8Array, options?: Options): AddAnswer;
  /** Adds a text. Each call is a commit: for many texts, use add(). */
  addText(path: string, text: string, options?: TextOptions): Promise<AddAnswer>;
  addTextSync(path: string, text: string, options?: TextOptions): AddAnswer;
  /** Adds files and directories, as `recall add`. */
  addFiles(paths: string | readonly string[], options?: Options): Promise<AddAnswer>;
  addFilesSync(paths: string | readonly string[], options?: Options): AddAnswer;
  /** Saves a note (docs/notes.md). */
  save(type: string, title: string, text: string, options?: SaveOptions): Promise<Answer>;
  saveSync(type: string, title: string, text: string, options?: SaveOptions): Answer;

  /** Runs a command; the members of its request are named as for POST /v1/COMMAND (docs/http.md, "Bodies"). */
  call(command: string, request?: Flags, options?: CallOptions): Promise<Answer>;
  callSync(command: string, request?: Flags, options?: CallOptions): Answer;
  /** The same; the answer is the text that the command prints. */
  callText(command: string, request?: Flags, options?: CallOptions): Promise<string>;
  callTextSync(command: string, request?: Flags, options?: CallOptions): string;

  /** Closes the store when the calls that were made before have ended. */
  close(): Promise<void>;
  /** Ends the calls that are pending, and closes the store. */
  closeSync(): void;
  [Symbol.asyncDispose](): Promise<void>;
  [Symbol.dispose](): void;
}

/** Documents to which searches are restricted: at most 4096. It may be of another store. */
export class DocumentSet {
  constructor(names: Iterable<string>, options?: {of?: 'paths' | 'ids'});
  readonly size: number;
}

/** Why a call failed. */
export class RecallError extends Error {
  private constructor();
  /** The exit status of the program: 1 absent, 2 usage, 3 environment, 4 corrupt, 5 busy, 130 interrupted. */
  readonly status: number;
  /** 'not_found', 'invalid_argument', ... (docs/json.md, "error"). */
  readonly code: string;
  /** What to do next, or ''. */
  readonly hint: string;
  /** Of a query, a filter or a file, from 1. */
  readonly line: number | null;
  /** In characters, from 1; null: the whole line. */
  readonly column: number | null;
  /** That line, and below it a caret under the column. */
  readonly excerpt: string;
  /** The whole answer, which says what was done if only a part of the call failed. */
  readonly answer: Answer;
  /** The text of it. */
  readonly json: string;
}
