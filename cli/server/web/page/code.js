// The colours of source code, and the names in it.
//
// Lines get their colours when they come into view, so a long document costs no more than what is seen of it.
// The colours of a line depend on those before it: on whether a comment is open, for instance. So the lines
// before the first shown one are read, too, and the state at the beginning of each line is kept.

import { docTarget } from './citation.js';
import { byId } from './elements.js';
import { languageOf } from './languages.js';
import { lexLine } from './lexer.js';
import { lineAt, linesInView, numberOf, shownOf } from './lines.js';
import { definitionOf, symbolsAt } from './outline.js';
import { pane } from './pane.js';
import { isAbort } from './problems.js';
import { newestOnly, pause, run } from './server.js';
import { go } from './state.js';
import { showCode } from './text.js';

const MOST_BYTES = 4 << 20; // of documents whose lines before the shown ones are read
const AROUND = 20; // lines that are coloured above and below those in view
const SLICE = 2000; // lines that are read at a time; the page answers in between

const code = {
  newest: newestOnly(),
  language: null, // null if no code is shown
  before: [], // the texts of the lines before the first one that was shown
  states: [], // at the beginning of the lines; the first one is that of line 1
  coloured: new WeakSet(), // elements of lines
};

// Begins with the document that is shown; `doc` is undefined if it is none of code.
export function beginCode(path, doc) {
  Object.assign(code, { language: doc ? languageOf(path) : null, before: [], states: [null], coloured: new WeakSet() });
  code.newest((signal) => (doc ? readBefore(path, doc, signal) : null)).then(colourView).catch((error) => {
    if (!isAbort(error)) colourView(); // without them: the colours may be wrong, the text is not
  });
}

async function readBefore(path, { size, hash }, signal) {
  const last = pane.first - 1;
  if (last === 0) return;
  const { get } = size > MOST_BYTES ? { get: null } : await run('get', { target: docTarget(path, 1, last) }, signal);
  code.before = get && get.doc.hash === hash ? get.chunk.text.split(/\r?\n/).slice(0, last) : new Array(last).fill('');
  while (code.states.length <= last) {
    readStates(Math.min(last + 1, code.states.length + SLICE));
    await pause(0, signal);
  }
}

const textAt = (number) => {
  const line = lineAt(number);
  return line ? shownOf(line).text : code.before[number - 1];
};

// Reads lines until the state at the beginning of line `number` is known.
function readStates(number) {
  for (let line = code.states.length; line < number; ++line) {
    code.states[line] = lexLine(code.language, textAt(line) ?? '', code.states[line - 1]).state;
  }
}

// Colours the lines in and around the view that have no colours yet.
export async function colourView() {
  const { language, states } = code;
  if (!language || (states.length < pane.first && code.before.length === 0)) return;
  const [begin, end] = linesInView();
  const lines = [...byId('lines').children].slice(Math.max(0, begin - AROUND), end + AROUND);
  if (lines.length === 0) return;
  const last = numberOf(lines.at(-1));
  while (states.length < last) {
    readStates(Math.min(last, states.length + SLICE));
    await pause(0);
    if (code.states !== states) return; // another document is shown
  }
  for (const line of lines) if (line.isConnected && !code.coloured.has(line)) colourLine(line);
}

function colourLine(line) {
  const { text, marks } = shownOf(line);
  const number = numberOf(line);
  const { tokens } = lexLine(code.language, text, code.states[number - 1]);
  for (const symbol of symbolsAt(number)) markDefinition(symbol, number, text, tokens);
  const place = line.querySelector('.text');
  place.replaceChildren();
  showCode(place, text, tokens, marks);
  code.coloured.add(line);
}

// Marks the name of a definition where it occurs first, in one of the first lines of the definition.
function markDefinition({ name, start_line: start }, number, text, tokens) {
  for (let line = start; line < number; ++line) if (textAt(line)?.includes(name)) return;
  const token = tokens.find(({ kind, start: at, end }) => kind === 'name' && text.slice(at, end) === name);
  if (token) token.kind = 'definition';
}

// Colours the lines again, because more is known: the definitions.
export function colourAgain() {
  code.coloured = new WeakSet();
  colourView();
}

// The names of a part of the document that is shown, in their order.
const namesIn = (place) => [...place.querySelectorAll('.code-name, .code-definition')];

// Shows what a name in the code means: the definition that it names in this line, or all of its name.
function askFor(place) {
  const line = numberOf(place.closest('.line'));
  const name = place.textContent;
  go({ name: place.matches('.code-definition') ? definitionOf(name, line) ?? name : name });
  byId('uses').focus({ preventScroll: true });
}

// Moves the focus to the next (1) or previous (-1) name in view. The name is a button while it has the focus.
export function moveName(step) {
  const [begin, end] = linesInView();
  const current = document.activeElement.closest('.code-name, .code-definition');
  const lines = [...byId('lines').children];
  const at = current ? lines.indexOf(current.closest('.line')) : begin;
  const names = lines.slice(Math.max(0, Math.min(begin, at) - 1), Math.max(end, at + 2)).flatMap(namesIn);
  const from = current ? names.indexOf(current) + step : step > 0 ? 0 : names.length - 1;
  const next = names[from];
  if (!next) return;
  next.setAttribute('role', 'button');
  next.tabIndex = -1;
  next.focus();
  next.addEventListener('blur', () => ['role', 'tabindex'].forEach((name) => next.removeAttribute(name)), { once: true });
}

export function connectCode() {
  byId('lines').addEventListener('click', (event) => {
    const name = event.target.closest('.code-name, .code-definition');
    // A click that ends a selection is none on a name.
    if (name && event.detail <= 1 && getSelection().isCollapsed) askFor(name);
  });
  byId('lines').addEventListener('keydown', (event) => {
    if ((event.key !== 'Enter' && event.key !== ' ') || !event.target.matches('[role="button"]')) return;
    event.preventDefault();
    event.stopPropagation();
    askFor(event.target);
  });
}
