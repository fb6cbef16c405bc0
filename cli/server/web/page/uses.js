// What a name means: the definitions that have it, and the places that use them.
//
// The server knows both of the source code that it has parsed. Without a definition the lines of code with
// the word are listed. The name is part of the state, so it has an address.

import { citation, docTarget, opens, parseTarget } from './citation.js';
import { byId, el } from './elements.js';
import { count } from './format.js';
import { languageOf } from './languages.js';
import { lexLine } from './lexer.js';
import { focusNumber, lineAt } from './lines.js';
import { definitionTarget, qualified } from './outline.js';
import { isAbort, showProblem } from './problems.js';
import { newestOnly, run } from './server.js';
import { go, state } from './state.js';
import { showCode, showText } from './text.js';

const ROWS = 50; // at a time

const uses = {
  newest: newestOnly(),
  asked: '', // what is shown or being loaded
  relation: 'references',
  byWord: false, // no definition is known: lines with the word are shown
  shown: 0,
  next: undefined, // offset of the next rows; undefined if there are no more
};

// Shows the uses of the name of the state, if it has one. With `anew` the server is asked in any case.
export async function showUses(anew) {
  const place = byId('uses');
  const { name } = state;
  place.hidden = name === '' || state.doc === '' || state.tab === 'store';
  const asked = place.hidden ? '' : JSON.stringify([name, uses.relation, state.store]);
  markOpen();
  if (asked === uses.asked && !anew) return;
  uses.asked = asked;
  clear();
  if (place.hidden) return uses.newest(async () => {}).catch(() => {});
  showText(byId('uses-title'), name);
  place.scrollTop = 0;
  await asking(async (signal) => {
    const definitions = await run('symbols', { name, k: ROWS }, signal);
    uses.byWord = definitions.stats.total_hits === 0;
    const answer = await findUses({}, signal);
    showDefinitions(definitions);
    addUses(answer);
  });
}

async function asking(task) {
  byId('uses').setAttribute('aria-busy', 'true');
  try {
    await uses.newest(task);
    showProblem(byId('uses-problem'), null);
  } catch (error) {
    if (isAbort(error)) return;
    showProblem(byId('uses-problem'), error);
  }
  byId('uses').removeAttribute('aria-busy');
}

function findUses(more, signal) {
  const { name } = state;
  if (!uses.byWord) return run('symbols', { name, [uses.relation]: true, k: ROWS, ...more }, signal);
  const word = name.split(' > ').at(-1);
  return run('grep', { pattern: word, fixed_strings: true, word_regexp: true, filter: "doc.parser = 'code'", k: ROWS, ...more }, signal);
}

function clear() {
  Object.assign(uses, { shown: 0, next: undefined, byWord: false });
  for (const id of ['uses-title', 'definitions-status', 'definitions', 'uses-status', 'use-list']) byId(id).replaceChildren();
  byId('more-uses').hidden = true;
  showProblem(byId('uses-problem'), null);
  for (const button of document.querySelectorAll('[data-uses]')) {
    button.setAttribute('aria-pressed', String(button.dataset.uses === uses.relation));
    button.hidden = false;
  }
}

// Definitions of the open document come first, then those in its directory.
function showDefinitions({ results, stats: { total_hits: total } }) {
  const { path } = parseTarget(state.doc);
  const directory = path.slice(0, path.lastIndexOf('/') + 1);
  const distance = ({ doc }) => (doc.path === path ? 0 : doc.path.startsWith(directory) ? 1 : 2);
  const ordered = [...results].sort((a, b) => distance(a) - distance(b)); // stable: by path and line
  byId('definitions').replaceChildren(...ordered.map((symbol) => useElement(symbol.doc.path, symbol.start_line,
    definitionTarget(symbol.doc.path, symbol), [el('span', { class: 'kind' }, `${symbol.kind} `), showText(el('strong'), qualified(symbol))])));
  const left = total - results.length;
  byId('definitions-status').textContent = total === 0 ? 'No definition is known'
    : `${count(total)} ${total === 1 ? 'definition' : 'definitions'}${left > 0 ? `, of which ${count(results.length)} are shown` : ''}`;
  for (const button of document.querySelectorAll('[data-uses]')) button.hidden = total === 0;
}

function addUses({ results, next_offset: next, stats: { total_hits: total } }) {
  const rows = uses.byWord ? results.flatMap(({ doc, lines }) => lines.map((line) => rowOf(doc.path, line.line, line.text.trim())))
    : results.map((row) => (uses.relation === 'callers' ? callerOf(row) : rowOf(row.doc.path, row.line, row.text, row.symbol)));
  byId('use-list').append(...rows);
  uses.shown += rows.length;
  uses.next = next;
  byId('more-uses').hidden = next === undefined;
  const what = uses.byWord ? ['line of code has the word', 'lines of code have the word']
    : uses.relation === 'callers' ? ['caller', 'callers'] : ['reference', 'references'];
  byId('uses-status').textContent = `${uses.shown < total ? `${count(uses.shown)} of ` : ''}${count(total)} ${what[total === 1 ? 0 : 1]}`;
  markOpen();
}

// A place that uses the name: path and line, the line, and the definition around it.
function rowOf(path, line, text, symbol) {
  const { tokens } = lexLine(languageOf(path), text, null);
  return useElement(path, line, docTarget(path, line, line), [showCode(el('code'), text, tokens, [])], symbol);
}

function callerOf({ symbol, lines }) {
  const places = lines.flatMap((line, i) => [i ? ', ' : 'line ', opens(el('a', { class: 'link' }, `${line}`), docTarget(symbol.path, line, line), { name: state.name })]);
  const row = useElement(symbol.path, symbol.start_line, definitionTarget(symbol.path, symbol),
    [el('span', { class: 'kind' }, `${symbol.kind} `), showText(el('strong'), qualified(symbol))]);
  row.append(el('span', { class: 'note' }, ...places));
  return row;
}

function useElement(path, line, target, said, symbol) {
  const link = opens(el('a', { class: 'use' }, el('span', { class: 'use-place' }, ...citation(path, line, line)), ' ', ...said), target, { name: state.name });
  return el('li', {}, link, symbol && el('span', { class: 'note' }, 'in ', showText(el('span'), qualified(symbol))));
}

// Marks the rows whose lines are open.
function markOpen() {
  for (const link of byId('uses').querySelectorAll('[data-doc]')) {
    if (link.dataset.doc === state.doc) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

// Closes the list; the line that is cited gets the focus.
export function closeUses() {
  go({ name: '' });
  const line = lineAt(parseTarget(state.doc).first);
  if (line) focusNumber(line);
}

export function connectUses() {
  byId('close-uses').addEventListener('click', closeUses);
  byId('more-uses').addEventListener('click', () => asking(async (signal) => addUses(await findUses({ offset: uses.next }, signal))));
  for (const button of document.querySelectorAll('[data-uses]')) {
    button.addEventListener('click', () => {
      uses.relation = button.dataset.uses;
      showUses(true);
    });
  }
}
