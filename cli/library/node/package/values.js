'use strict';
// Values of the package: errors, hits, requests.

const STALE = [null, 'changed', 'deleted'];

// What a call of the library failed with.
class RecallError extends Error {
  #json;

  constructor({status, code, message, hint = '', line = 0, column = 0, excerpt = '', json = ''}) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.line = line || null;
    this.column = column || null;
    this.excerpt = excerpt;
    this.#json = json;
  }

  get name() {
    return 'RecallError';
  }

  // The text of the whole answer. That of an ingest in which some documents failed says what was added.
  get json() {
    const {status, code, message, hint} = this;
    this.#json ||= `${JSON.stringify({
      ok: false, schema_version: '2', error: {code, message, details: {exit_code: status}, hint: hint || null},
    })}\n`;
    return this.#json;
  }

  get answer() {
    return JSON.parse(this.json);
  }
}

// Called by the addon.
function makeError(status, code, message, hint, line, column, excerpt, json) {
  return new RecallError({status, code, message, hint, line, column, excerpt, json});
}

// Called by the addon. All hits have the same shape, so that access to their members is fast.
function makeHit(score, path, citation, document, chunk, firstLine, lastLine, startByte, endByte, heading, text,
  snippet, snippetFirstLine, snippetLastLine, place, metadata, tag, source, stale) {
  return {
    score, path, citation, document, chunk, firstLine, lastLine, startByte, endByte, heading, text,
    snippet, snippetFirstLine, snippetLastLine, place: place || null,
    metadata: metadata === '' ? {} : JSON.parse(metadata), tag: tag || null, source: source || null,
    stale: STALE[stale],
  };
}

const wrong = (message, hint) => new RecallError({status: 2, code: 'invalid_argument', message, hint});

// A text that becomes one of C, which ends at a zero character.
function plainText(value, what) {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string`);
  if (value.includes('\0')) throw wrong(`${what} has a zero character`);
  return value;
}

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const isVector = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);

// A JSON object of the members, whose names are also those of JavaScript: minScore for min_score. undefined if it is
// empty.
function requestOf(members) {
  const request = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) request[snakeCase(name)] = isVector(value) ? Array.from(value) : value;
  }
  return Object.keys(request).length === 0 ? undefined : JSON.stringify(request);
}

// A Float32Array, which is given on as it is, or numbers.
function vectorOf(value) {
  if (value === undefined || value === null || value instanceof Float32Array) return value ?? undefined;
  if (!isVector(value) && !Array.isArray(value)) throw new TypeError('vector must be a Float32Array or an array');
  return Float32Array.from(value);
}

// A document as a line of `recall add --jsonl`. Vectors are written in base64, which is smaller and faster than digits.
function lineOf(document) {
  const {metadata, vector, ...line} = document;
  if (metadata !== undefined) line.meta = metadata;
  if (vector !== undefined && vector !== null) {
    const {buffer, byteOffset, byteLength} = vectorOf(vector);
    line.embedding = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  }
  return `${JSON.stringify(line)}\n`;
}

module.exports = {RecallError, lineOf, makeError, makeHit, plainText, requestOf, vectorOf, wrong};
