// Comments, texts, numbers, keywords and names in the lines of source code, for their colours.
//
// A line is read with the state at its beginning and gives that of the next: null outside of everything, or
// the innermost of what is open there, a comment, a text or code within a text, each with what is around it.
// A state is never changed, so it can be kept for each line. What there is in a language says languages.js.
//
// What is wrong in a program changes colours alone: a text without an end goes on to the end of the line, or
// of the file where texts may have several lines.
//
// Cost: in proportion to the line. Each step takes what it has looked at, or ends the line.

const NUMBER = "\\d(?:[_']?[\\da-zA-Z])*(?:\\.\\d(?:_?[\\da-zA-Z])*)?";
const NAME = '[\\p{L}_$][\\p{L}\\p{N}_$]*';
const REGEX = /\/(?:[^/\\[]|\\[^]|\[(?:[^\]\\]|\\[^]){0,500}\]){1,500}\/[a-z]*/uy;
// Behind these a `/` begins a regular expression; behind names, numbers and brackets it divides.
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{;~+*%<>^-]|\b(?:return|typeof|case|in|of|do|else|void|yield|await|and|or|not|if|unless|when))\s*$/;
const BEFORE = 40; // characters before a `/` that are looked at
const MOST_LEVELS = 64; // of code in texts in code
const MOST_UNITS = 10000; // a longer line has no tokens and is passed over

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const compiled = new WeakMap(); // of a language, or of a span

function remember(key, make) {
  if (!compiled.has(key)) compiled.set(key, make());
  return compiled.get(key);
}

// What can begin in code: a regular expression with a group for each of `kinds`, which are spans or names.
const beginnings = (language) => remember(language, () => {
  const all = [...language.spans.map((span) => [span, span.open]), ...(language.tokens ?? []), ['number', NUMBER],
    ['name', language.name ?? NAME], ...(language.regex ? [['regex', '/']] : []), ['bracket', '[(){}]']];
  return { kinds: all.map(([kind]) => kind), regex: new RegExp(all.map(([, source]) => `(${source})`).join('|'), 'gu') };
});

// What matters within a span: code in it, what does not end it, what opens it again, its end.
function endings(span, close) {
  const known = remember(span, () => new Map());
  if (!known.has(close)) {
    const sources = [span.inner && escaped(span.inner[0]), span.escape, span.nested && escaped(span.nested), escaped(close)];
    known.set(close, new RegExp(sources.map((source) => `(${source || '(?!)'})`).join('|'), 'gu'));
  }
  return known.get(close);
}

// Reads a line. Returns: { tokens, state }: tokens are ascending { start, end, kind } in UTF-16 units, the
// kinds 'comment', 'string', 'number', 'keyword', 'name' and 'definition'; state is that of the next line.
export function lexLine(language, text, state) {
  if (text.length > MOST_UNITS) return { tokens: [], state };
  const reader = { language, text, at: 0, tokens: [], state, pending: null, defining: -1, hasRegex: true };
  while (reader.at < text.length) {
    if (reader.state?.span) readSpan(reader);
    else readCode(reader);
  }
  if (text === '' && reader.state?.span?.heredoc) readHeredoc(reader);
  const next = text.endsWith('\\') && reader.state?.span?.escape ? reader.state : withoutShort(reader.state);
  return { tokens: reader.tokens, state: reader.pending ? { ...reader.pending, up: next } : next };
}

// What is open in the next line: a text that must end in its line is not, nor is the code in it.
function withoutShort(state) {
  let open = state;
  for (let frame = state; frame; frame = frame.up) {
    if (frame.span && !frame.span.lines && !frame.span.heredoc) open = frame.up;
  }
  return open;
}

function add({ tokens }, start, end, kind) {
  const last = tokens.at(-1);
  if (last?.end === start && last.kind === kind && kind !== 'name') last.end = end;
  else if (end > start) tokens.push({ start, end, kind });
}

function readCode(reader) {
  const { language, text } = reader;
  const { kinds, regex } = beginnings(language);
  regex.lastIndex = reader.at;
  const match = regex.exec(text);
  reader.at = match ? regex.lastIndex : text.length;
  if (!match) return;
  const [start, end] = [match.index, regex.lastIndex];
  let group = 1;
  while (match[group] === undefined) ++group;
  const kind = kinds[group - 1];
  if (kind === 'name') readName(reader, start, end);
  else if (kind === 'regex') readRegex(reader, start);
  else if (kind === 'bracket') readBracket(reader, match[0]);
  else if (typeof kind === 'string') add(reader, start, end, kind);
  else openSpan(reader, kind, start, end);
}

function openSpan(reader, span, start, end) {
  add(reader, start, end, span.kind);
  if (span.whole) return;
  const opening = reader.text.slice(start, end);
  const close = typeof span.close === 'function' ? span.close(opening) : span.close;
  const frame = { span, close, depth: 1, level: (reader.state?.level ?? 0) + 1, up: reader.state };
  if (span.heredoc) reader.pending ??= frame;
  else reader.state = frame;
}

function readName(reader, start, end) {
  const { language, text } = reader;
  const word = text.slice(start, end);
  const isMember = text[start - 1] === '.' && text[start - 2] !== '.';
  const known = language.anyCase ? word.toLowerCase() : word;
  if (!isMember && language.keywords.has(known)) {
    add(reader, start, end, 'keyword');
    if (language.defining?.has(known)) reader.defining = end;
    return;
  }
  const defines = reader.defining >= 0 && text.slice(reader.defining, start).trim() === ''
    && (!language.before || language.before.test(text.slice(end, end + BEFORE)));
  reader.defining = -1;
  add(reader, start, end, defines ? 'definition' : 'name');
}

function readRegex(reader, start) {
  const { text } = reader;
  if (!reader.hasRegex || !BEFORE_REGEX.test(text.slice(Math.max(0, start - BEFORE), start))) return;
  REGEX.lastIndex = start;
  reader.hasRegex = REGEX.test(text); // if this one has no end, the line is not searched again
  if (!reader.hasRegex) return;
  add(reader, start, REGEX.lastIndex, 'string');
  reader.at = REGEX.lastIndex;
}

// Counts the brackets of code within a text; the last one leads back into the text.
function readBracket(reader, bracket) {
  const { state } = reader;
  reader.defining = -1;
  if (!state) return;
  const [, close, nest] = state.inner;
  const depth = state.depth + (bracket === nest ? 1 : bracket === close ? -1 : 0);
  reader.state = depth === 0 ? state.up : { ...state, depth };
}

function readSpan(reader) {
  const { text, at, state: { span, close } } = reader;
  if (span.heredoc) return readHeredoc(reader);
  if (span.escape || span.nested || span.inner) return readRichSpan(reader);
  const found = text.indexOf(close, at);
  reader.at = found < 0 ? text.length : found + close.length;
  add(reader, at, reader.at, span.kind);
  if (found >= 0) reader.state = reader.state.up;
}

function readHeredoc(reader) {
  const { text, state: { span, close, up } } = reader;
  const line = text.trim();
  add(reader, 0, text.length, span.kind);
  reader.at = text.length;
  if (line.startsWith(close) && !/^[\p{L}\p{N}_]/u.test(line.slice(close.length))) reader.state = up;
}

// A span with escapes, with others of its kind in it, or with code in it.
function readRichSpan(reader) {
  const { text, at, state } = reader;
  const { span } = state;
  const regex = endings(span, state.close);
  let { depth } = state;
  for (regex.lastIndex = at; ;) {
    const match = regex.exec(text);
    reader.at = match ? regex.lastIndex : text.length;
    if (!match) break;
    const [, inner, , nested, close] = match;
    const opens = inner !== undefined && state.level < MOST_LEVELS;
    depth += nested !== undefined ? 1 : close !== undefined ? -1 : 0;
    if (!opens && depth > 0) continue;
    add(reader, at, reader.at, span.kind);
    reader.state = opens ? { inner: span.inner, depth: 1, level: state.level + 1, up: { ...state, depth } } : state.up;
    return;
  }
  add(reader, at, text.length, span.kind);
  reader.state = { ...state, depth };
}
