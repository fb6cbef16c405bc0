'use strict';
// Stores and sets of documents: what of the addon is made of promises, signals and iterators.
const {fileURLToPath} = require('node:url');
const {addonPath, libraryPath, programPath} = require('./program.js');
const {RecallError, lineOf, makeError, makeHit, plainText, requestOf, vectorOf, wrong} = require('./values.js');

// As in cli/library/node/store_call.h.
const KIND = {open: 0, command: 1, search: 2, addText: 3, addLines: 4, close: 5};
const INTERRUPTED = 130;
const INSIDE = Symbol('inside');

let addon;
let loadedVersion;

// The addon, which is loaded with the library when it is needed.
function native() {
  if (!addon) {
    const loaded = require(addonPath());
    loadedVersion = loaded.load(libraryPath(), makeHit, makeError);
    addon = loaded;
  }
  return addon;
}

function libraryVersion() {
  native();
  return loadedVersion;
}

// Starts a call on the thread of the store. `call`: [kind, first, content, request, extra].
function started(handle, [kind, first, content, request, extra], {signal, onProgress} = {}) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    let id;
    let again;
    let thrown;
    const cancel = () => {
      native().cancel(handle, id);
      // A call that is about to begin does not notice.
      again ??= setInterval(() => native().cancel(handle, id), 10);
    };
    const end = (error, value) => {
      clearInterval(again);
      signal?.removeEventListener('abort', cancel);
      if (thrown) return reject(thrown.error);
      if (error && error.status === INTERRUPTED && signal?.aborted) return reject(signal.reason);
      return error ? reject(error) : resolve(value);
    };
    const listen = onProgress && ((progress) => {
      if (thrown) return;
      try {
        onProgress(progress);
      } catch (error) {
        thrown = {error};
        cancel();
      }
    });
    id = native().start(handle, kind, first, content, request, extra, end, listen);
    signal?.addEventListener('abort', cancel, {once: true});
  });
}

let handleOf;

// Documents among which searches find.
class DocumentSet {
  #set;
  #size;

  static {
    handleOf = (within) => {
      if (within === undefined || within === null) return undefined;
      return (within instanceof DocumentSet ? within : new DocumentSet(within)).#set;
    };
  }

  constructor(names, {of = 'paths'} = {}) {
    if (of !== 'paths' && of !== 'ids') throw new TypeError("of must be 'paths' or 'ids'");
    const texts = Array.from(names, (name) => plainText(name, 'a name'));
    this.#set = native().newSet(of === 'ids' ? 1 : 0, texts);
    this.#size = texts.length;
  }

  get size() {
    return this.#size;
  }
}

// The calls of a store: what the addon is given, what is made of its value, and the options of the call itself.
const calls = {
  command(name, request, {signal, onProgress} = {}) {
    return {call: [KIND.command, plainText(name, 'command'), undefined, request], options: {signal, onProgress}};
  },
  answer(name, members, options = {}) {
    const {signal, onProgress, ...more} = options;
    return {...calls.command(name, requestOf({...more, ...members}), {signal, onProgress}), made: JSON.parse};
  },
  search(query, options = {}) {
    const {signal, onProgress, within, ...more} = options;
    const call = [KIND.search, plainText(query, 'query'), undefined, requestOf(more), handleOf(within)];
    return {call, options: {signal, onProgress}};
  },
  addText(path, text, {metadata, vector, signal, onProgress} = {}) {
    if (typeof text !== 'string') throw new TypeError('text must be a string');
    const meta = metadata === undefined || metadata === null ? undefined : JSON.stringify(metadata);
    const call = [KIND.addText, plainText(path, 'path'), text, meta, vectorOf(vector)];
    return {call, options: {signal, onProgress}, made: JSON.parse};
  },
  addLines(lines, {signal, onProgress, ...more} = {}) {
    if (typeof lines !== 'string' && !(lines instanceof Uint8Array)) {
      throw new TypeError('lines must be a string or a Uint8Array');
    }
    return {call: [KIND.addLines, '', lines, requestOf(more)], options: {signal, onProgress}, made: JSON.parse};
  },
};

const linesOf = (documents) => Array.from(documents, lineOf).join('');

async function linesOfLater(documents) {
  if (documents[Symbol.asyncIterator] === undefined) return linesOf(documents);
  const lines = [];
  for await (const document of documents) lines.push(lineOf(document));
  return lines.join('');
}

// Texts of a query, kept as $1, and its comments.
const TEXTS = /('[^']*'|"[^"]*")|--[^\n]*|\/\*[\s\S]*?\*\//g;

// A query to which clauses can be added: what is no clause becomes white space, so that positions stay. undefined if it
// has a limit.
function openEnded(rql) {
  const blank = (found) => found.replace(/[^\n]/g, ' ');
  if (/\b(LIMIT|OFFSET)\s+[\d+]/i.test(rql.replace(TEXTS, blank))) return undefined;
  return rql.replace(TEXTS, (found, text) => text ?? blank(found)).replace(/;\s*$/, '');
}

class Store {
  #handle;
  #path;
  #closing;
  #within = false;

  constructor(inside, handle, path) {
    if (inside !== INSIDE) throw new TypeError('a store is made by open() or openSync()');
    this.#handle = handle;
    this.#path = path;
  }

  get path() {
    return this.#path;
  }

  get closed() {
    return this.#closing !== undefined;
  }

  #check() {
    if (this.#closing !== undefined) throw wrong('the store is closed', 'open it again');
    // The library would say so as well, but a thread would wait for it.
    if (this.#within) throw wrong('this thread is in a call of the same store already');
  }

  async #later({call, options, made}) {
    this.#check();
    try {
      const value = await started(this.#handle, call, options);
      return made === undefined ? value : made(value);
    } catch (error) {
      // From here the caller is on the stack.
      if (error instanceof RecallError) Error.captureStackTrace(error);
      throw error;
    }
  }

  #now({call, options: {signal, onProgress} = {}, made}) {
    this.#check();
    signal?.throwIfAborted();
    const listen = (onProgress || signal) && ((progress) => {
      onProgress?.(progress);
      signal?.throwIfAborted();
    });
    this.#within = true;
    try {
      const [kind, first, content, request, extra] = call;
      const value = native().run(this.#handle, kind, first, content, request, extra, listen);
      return made === undefined ? value : made(value);
    } finally {
      this.#within = false;
    }
  }

  async search(query, options) {
    return this.#later(calls.search(query, options));
  }

  searchSync(query, options) {
    return this.#now(calls.search(query, options));
  }

  // All hits, best first, read a page at a time, of one state of the store.
  async *hits(query, {k = 20, offset = 0, snapshot, ...options} = {}) {
    const {signal} = options;
    const state = snapshot ?? (await this.call('ls', {k: 1}, {signal})).query.snapshot;
    for (let from = offset; ; from += k) {
      const page = await this.search(query, {...options, k, offset: from, snapshot: state});
      yield* page;
      if (page.length < k) return;
    }
  }

  async query(rql, options) {
    return this.#later(calls.answer('query', {rql}, options));
  }

  querySync(rql, options) {
    return this.#now(calls.answer('query', {rql}, options));
  }

  // All rows of a query, read a page at a time, of one state of the store; of one that has a limit, as many as it says.
  async *rows(rql, {pageSize = 500, ...options} = {}) {
    const clauses = openEnded(rql);
    if (clauses === undefined) {
      yield* (await this.query(rql, options)).results;
      return;
    }
    let {snapshot} = options;
    for (let from = 0; from !== undefined; ) {
      const page = await this.query(`${clauses} LIMIT ${pageSize} OFFSET ${from}`, {...options, snapshot});
      yield* page.results;
      snapshot ??= page.query.snapshot;
      from = page.next_offset;
    }
  }

  async context(query, options) {
    return this.#later(calls.answer('context', {query}, options));
  }

  contextSync(query, options) {
    return this.#now(calls.answer('context', {query}, options));
  }

  async get(target, options) {
    return this.#later(calls.answer('get', {target}, options));
  }

  getSync(target, options) {
    return this.#now(calls.answer('get', {target}, options));
  }

  async add(documents, options) {
    return this.#later(calls.addLines(await linesOfLater(documents), options));
  }

  addSync(documents, options) {
    return this.#now(calls.addLines(linesOf(documents), options));
  }

  async addLines(lines, options) {
    return this.#later(calls.addLines(lines, options));
  }

  addLinesSync(lines, options) {
    return this.#now(calls.addLines(lines, options));
  }

  async addText(path, text, options) {
    return this.#later(calls.addText(path, text, options));
  }

  addTextSync(path, text, options) {
    return this.#now(calls.addText(path, text, options));
  }

  async addFiles(paths, options) {
    return this.#later(calls.answer('add', {path: paths}, options));
  }

  addFilesSync(paths, options) {
    return this.#now(calls.answer('add', {path: paths}, options));
  }

  async save(type, title, text, options) {
    return this.#later(calls.answer('save', {note: [type, title], text}, options));
  }

  saveSync(type, title, text, options) {
    return this.#now(calls.answer('save', {note: [type, title], text}, options));
  }

  async call(command, request, options) {
    return this.#later({...calls.command(command, JSON.stringify(request), options), made: JSON.parse});
  }

  callSync(command, request, options) {
    return this.#now({...calls.command(command, JSON.stringify(request), options), made: JSON.parse});
  }

  async callText(command, request, options) {
    return this.#later(calls.command(command, JSON.stringify(request), options));
  }

  callTextSync(command, request, options) {
    return this.#now(calls.command(command, JSON.stringify(request), options));
  }

  // Closes the store behind the calls that are pending.
  async close() {
    if (this.#closing === undefined) {
      this.#check();
      this.#closing = started(this.#handle, [KIND.close]);
    }
    return this.#closing;
  }

  // Ends the calls that are pending, and closes the store.
  closeSync() {
    if (this.#closing === undefined) this.#check();
    this.#closing ??= Promise.resolve();
    native().shut(this.#handle);
  }

  // Node.js 18 before 18.18 has no such symbols.
  async [Symbol.asyncDispose ?? Symbol('asyncDispose')]() {
    await this.close();
  }

  [Symbol.dispose ?? Symbol('dispose')]() {
    this.closeSync();
  }
}

// The program of the package extracts documents, unless another one is named, or none: null.
function openingOf(path, {program, signal, onProgress, ...options} = {}) {
  const file = path instanceof URL ? fileURLToPath(path) : plainText(path, 'path');
  let extractor = program ?? undefined;
  if (program === undefined) {
    try {
      extractor = programPath();
    } catch {
      // The package without its program: documents of other formats are skipped, with a warning.
    }
  }
  const call = [KIND.open, file, undefined, requestOf({...options, program: extractor})];
  return {file, call, options: {signal, onProgress}};
}

async function open(path, options) {
  const {file, call, options: {signal}} = openingOf(path, options);
  const handle = native().newStore();
  try {
    await started(handle, call, {signal});
  } catch (error) {
    if (error instanceof RecallError) Error.captureStackTrace(error);
    throw error;
  }
  return new Store(INSIDE, handle, file);
}

function openSync(path, options) {
  const {file, call} = openingOf(path, options);
  const handle = native().newStore();
  native().run(handle, ...call);
  return new Store(INSIDE, handle, file);
}

module.exports = {DocumentSet, Store, libraryVersion, open, openSync};
