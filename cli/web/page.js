// The page of `recall serve`. It asks the server what the command line asks, and shows the answers.
//
// Rules:
// - Text of a store reaches the page as text nodes alone (`el`, `showText`). There is no innerHTML.
// - The query, filter, view and document are the fragment of the address, and nowhere else. A change
//   writes the fragment (`go`), and `show` makes the page agree with it; back and forward do the same.
// - Of requests for the same place only the newest counts; the one before is cancelled (`newestOnly`).

const PAUSE_MS = 80; // without a key press, before the server is asked
const HITS = 15;
const SNIPPET_BYTES = 360;
const LINES_AROUND = 30; // a citation
const LINES_MORE = 120;
const METRICS_MS = 2000;
const MOST_EVENTS = 60;
const OWN_COMMANDS = ['stats']; // which the view of the store causes by its own questions

// Elements --------------------------------------------------------------------------------------

const byId = (id) => document.getElementById(id);

// An element with attributes and children: elements, or texts. An attribute `false` is not set.
function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== '' && child !== null && child !== undefined));
  return element;
}

const count = (number) => Number(number).toLocaleString('en');

function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; number >= 1024 && unit < units.length - 1; ++unit) number /= 1024;
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`;
}

function duration(seconds) {
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(seconds < 0.1 ? 2 : 3)} ms`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// The score of a result as the command line prints it.
const scoreText = (score) => score.toFixed(3);

function toast(text) {
  const place = byId('toast');
  place.textContent = text;
  place.classList.add('shown');
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => place.classList.remove('shown'), 2000);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    toast('The browser does not let this page copy');
  }
}

// State: the fragment ---------------------------------------------------------------------------

const START = { tab: 'search', q: '', filter: '', doc: '', budget: 1200, store: '' };
const TABS = ['search', 'context', 'store'];

function stateOf(fragment) {
  const given = new URLSearchParams(fragment);
  const state = { ...START };
  for (const name of ['tab', 'q', 'filter', 'doc', 'store']) state[name] = given.get(name) ?? START[name];
  if (!TABS.includes(state.tab)) state.tab = START.tab;
  const budget = Number(given.get('budget'));
  if (Number.isInteger(budget) && budget > 0) state.budget = budget;
  return Object.freeze(state);
}

function fragmentOf(state) {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== START[name]) given.set(name, value);
  }
  return `#${given}`;
}

let state = stateOf('');
// Keys that are typed one after another change one entry of the history.
let typing = false;

// Goes to the state with these members changed. `how`: 'push', or 'type' while the user types or drags.
function go(change, how = 'push') {
  const next = Object.freeze({ ...state, ...change });
  const fragment = fragmentOf(next);
  if (fragment !== fragmentOf(state)) {
    const replace = how === 'type' && typing;
    history[replace ? 'replaceState' : 'pushState'](null, '', fragment);
    typing = how === 'type';
  }
  state = next;
  show();
}

// Reads the fragment. A token in it is taken out at once, so that it is not seen, kept or sent on.
function readFragment() {
  const given = new URLSearchParams(location.hash.slice(1));
  const token = given.get('token');
  if (token !== null) {
    sessionStorage.setItem('token', token);
    given.delete('token');
    history.replaceState(null, '', `${location.pathname}#${given}`);
  }
  typing = false;
  state = stateOf(given);
  return token !== null;
}

// The server ------------------------------------------------------------------------------------

// An error that the server has answered.
class Problem extends Error {
  constructor(error) {
    super(error.message);
    this.hint = error.hint;
    this.details = error.details ?? {};
  }
}

// The server does not answer; the banner says so.
class Gone extends Error {}

// A request that a newer one has replaced ends with this; nobody shows it.
const isAbort = (error) => error?.name === 'AbortError';

// Of the tasks that are given to it, each of which gets an AbortSignal, only the newest goes on.
function newestOnly() {
  let last = new AbortController();
  return async (task) => {
    last.abort();
    last = new AbortController();
    const { signal } = last;
    try {
      const value = await task(signal);
      signal.throwIfAborted();
      return value;
    } catch (error) {
      if (signal.aborted) signal.throwIfAborted();
      throw error;
    }
  };
}

// The bytes of a text as a value that fetch takes for a header.
const headerValue = (text) => String.fromCharCode(...encoder.encode(text.replace(/[\u0000-\u001f\u007f]/g, '')));

function headers(more = {}) {
  const token = sessionStorage.getItem('token');
  return {
    ...more,
    ...(token ? { Authorization: `Bearer ${headerValue(token)}` } : {}),
    ...(state.store ? { 'X-Recall-Store': headerValue(state.store) } : {}),
  };
}

// Asks the server; asks the user for the token if it wants one, and waits if it is busy.
async function ask(path, options = {}) {
  for (let tries = 0; ; ++tries) {
    const given = sessionStorage.getItem('token');
    const request = new Request(path, { ...options, headers: headers(options.headers) });
    let response;
    try {
      response = await fetch(request);
    } catch (error) {
      if (isAbort(error)) throw error;
      serverIsGone();
      throw new Gone();
    }
    const busy = (response.status === 503 || response.status === 429) && tries < 5;
    if (response.status === 401) {
      await newToken(given);
    } else if (busy && response.headers.has('Retry-After')) {
      await pause(1000 * Number(response.headers.get('Retry-After')), options.signal);
    } else {
      return response;
    }
  }
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

// Runs a command; `body` has its flags and arguments. Returns: its JSON. Throws a Problem.
async function run(command, body, signal) {
  const response = await ask(`/v1/${command}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  const answer = await response.json();
  if (answer.ok === false) throw new Problem(answer.error);
  return answer;
}

// Shows the banner until the server answers again, and then everything anew.
async function serverIsGone() {
  const banner = byId('banner');
  if (!banner.hidden) return;
  banner.textContent = 'The server does not answer. This page waits for it.';
  banner.hidden = false;
  for (let wait = 500; ; wait = Math.min(wait * 1.5, 5000)) {
    await pause(wait);
    const alive = await fetch('/livez', { cache: 'no-store' }).then((response) => response.ok, () => false);
    if (alive) break;
  }
  banner.hidden = true;
  show({ anew: true });
}

// The token -------------------------------------------------------------------------------------

let tokenQuestion = null; // the requests that need a token wait for it together; none asks again after Cancel

// Waits for a token other than `refused`, which the server does not accept.
function newToken(refused) {
  const token = sessionStorage.getItem('token');
  if (token && token !== refused) return Promise.resolve();
  tokenQuestion ??= askForToken(Boolean(refused)).then(() => (tokenQuestion = null));
  return tokenQuestion;
}

function askForToken(wasWrong) {
  const dialog = byId('token-dialog');
  const input = byId('token');
  byId('token-problem').hidden = !wasWrong;
  input.value = '';
  dialog.showModal();
  return new Promise((resolve, reject) => {
    byId('token-form').onsubmit = (event) => {
      event.preventDefault();
      sessionStorage.setItem('token', input.value.trim());
      dialog.close('token');
    };
    dialog.onclose = () => {
      if (dialog.returnValue === 'token') resolve();
      else reject(new Problem({ message: 'the server needs a token', hint: 'reload the page to enter it' }));
      dialog.returnValue = '';
    };
  });
}

// Problems --------------------------------------------------------------------------------------

// Shows what went wrong in `place`, or hides it if `error` is null. What the banner tells is not repeated.
function showProblem(place, error) {
  place.replaceChildren();
  place.hidden = !error || error instanceof Gone;
  if (place.hidden) return;
  if (!(error instanceof Problem)) console.error(error); // a fault of this page
  place.append(el('p', {}, error.message));
  const { excerpt } = error.details ?? {};
  if (excerpt) place.append(el('pre', {}, excerpt));
  if (error.hint) place.append(el('p', { class: 'hint' }, error.hint));
}

// Errors with a position are those of the filter, because no query is an error.
function showAskProblem(place, error) {
  const ofFilter = error instanceof Problem && error.details.line !== undefined && state.filter !== '';
  byId('filter').setAttribute('aria-invalid', String(ofFilter));
  showProblem(byId('filter-error'), ofFilter ? error : null);
  showProblem(place, ofFilter ? null : error);
}

// Text of documents -----------------------------------------------------------------------------

const encoder = new TextEncoder();
const decoder = new TextDecoder();
// Controls except tab and newline, and characters that reorder text: shown by their code.
const CONTROLS = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069])/u;

// Appends a text as text nodes; controls in it are wrapped, so that they do nothing.
function showText(parent, text) {
  text.split(CONTROLS).forEach((part, i) => {
    if (part === '') return;
    if (i % 2 === 0) return parent.append(part);
    const code = `U+${part.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    parent.append(el('span', { class: 'control', 'data-code': code }, part));
  });
  return parent;
}

// The same, with marks at `ranges`: ascending [start, end) in bytes of UTF-8.
function showMarked(parent, text, ranges) {
  const all = encoder.encode(text);
  const cut = (start, end) => decoder.decode(all.subarray(start, end));
  let at = 0;
  for (const { start, end } of ranges) {
    showText(parent, cut(at, start));
    parent.append(showText(el('mark'), cut(start, end)));
    at = end;
  }
  return showText(parent, cut(at, all.length));
}

// "docs/a.md:9-17" in two shades; the name of the file matters most.
function citation(path, first, last) {
  const slash = path.lastIndexOf('/') + 1;
  return [
    el('bdi', { class: 'path' }, showText(el('span', { class: 'folder' }), path.slice(0, slash)),
      showText(el('span', { class: 'file' }), path.slice(slash))),
    ' ',
    el('span', { class: 'where' }, first === last ? `${first}` : `${first}–${last}`),
  ];
}

const docTarget = (path, first, last) => `${path}:${first}-${last}`;

function parseTarget(target) {
  const match = /^(.*):(\d+)-(\d+)$/s.exec(target);
  if (!match) return { path: target, first: 1, last: 0 };
  return { path: match[1], first: Number(match[2]), last: Number(match[3]) };
}

// A link that opens the document; its address works elsewhere, too.
function citeLink(path, first, last) {
  const target = docTarget(path, first, last);
  const link = el('a', { class: 'cite', href: fragmentOf({ ...state, doc: target }) }, ...citation(path, first, last));
  link.dataset.doc = target;
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go({ doc: target });
    byId('document').focus();
  });
  return link;
}

// Search ----------------------------------------------------------------------------------------

const search = {
  newest: newestOnly(),
  newestExplain: newestOnly(),
  asked: null, // the question whose hits are shown, or on their way
  hits: [],
  next: undefined, // offset of the next page
  explained: null, // promise of a map from ids of chunks to explanations
};

const questionOf = ({ q, filter, store }) => JSON.stringify([q.trim(), filter.trim(), store]);

function askBody(more) {
  const filter = state.filter.trim();
  return { query: state.q.trim(), ...(filter ? { filter } : {}), ...more };
}

async function showSearch(anew) {
  const question = questionOf(state);
  if (question === search.asked && !anew) return markOpenHit();
  search.asked = question;
  search.explained = null;
  const none = state.q.trim() === '';
  byId('intro').hidden = !none;
  if (none) {
    search.newest(async () => {}).catch(() => {}); // cancels what is on its way
    clearHits();
    byId('status').textContent = '';
    return showAskProblem(byId('search-problem'), null);
  }
  byId('hits').classList.add('stale');
  byId('hits').setAttribute('aria-busy', 'true');
  try {
    const answer = await search.newest((signal) => run('search', askBody({ k: HITS, snippet: SNIPPET_BYTES }), signal));
    showAskProblem(byId('search-problem'), null);
    const focused = byId('hits').contains(document.activeElement);
    clearHits();
    addHits(answer);
    if (focused) shownLinks()[0]?.focus(); // who was in the list stays there
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) search.asked = null;
    else byId('status').textContent = '';
    byId('more-hits').hidden = true;
    showAskProblem(byId('search-problem'), error);
  }
}

function clearHits() {
  search.hits = [];
  search.next = undefined;
  byId('hits').replaceChildren();
  byId('hits').classList.remove('stale');
  byId('hits').removeAttribute('aria-busy');
  byId('more-hits').hidden = true;
}

function addHits(answer) {
  search.hits = search.hits.concat(answer.results);
  search.next = answer.next_offset;
  byId('hits').append(...answer.results.map(hitElement));
  byId('more-hits').hidden = search.next === undefined;
  const { total_hits: total, total_hits_is_lower_bound: atLeast } = answer.stats;
  const shown = search.hits.length;
  byId('status').textContent = total === 0 ? 'Nothing found'
    : `${shown} of ${atLeast ? 'at least ' : ''}${count(total)} ${total === 1 ? 'result' : 'results'}`;
  for (const warning of answer.warnings ?? []) byId('status').append(el('span', { class: 'note' }, ` · ${warning}`));
  markOpenHit();
}

async function moreHits() {
  const body = askBody({ k: HITS, snippet: SNIPPET_BYTES, offset: search.next });
  try {
    addHits(await search.newest((signal) => run('search', body, signal)));
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('search-problem'), error);
  }
}

function hitElement({ score, doc, chunk, snippet, identical }) {
  const why = el('button', { class: 'why', 'aria-expanded': 'false', title: 'Why this rank (e)' }, 'why?');
  const code = doc.parser === 'code' ? ' code' : '';
  const hit = el('li', { class: 'hit' },
    el('div', { class: 'hit-head' },
      citeLink(doc.path, snippet?.start_line ?? chunk.start_line, snippet?.end_line ?? chunk.end_line),
      why, el('span', { class: 'score', title: 'score' }, scoreText(score))),
    chunk.heading && showText(el('p', { class: 'heading' }), chunk.heading),
    snippet && showMarked(el('p', { class: `snippet${code}` }), snippet.text.trimEnd(), snippet.highlights),
    identical && el('p', { class: 'same' }, `and ${identical} more with the same text`));
  hit.dataset.chunk = chunk.id;
  why.addEventListener('click', () => toggleExplain(hit));
  return hit;
}

function markOpenHit() {
  for (const link of document.querySelectorAll('.cite')) {
    link.closest('li').classList.toggle('open', link.dataset.doc === state.doc);
  }
}

// The parts of a document that are marked in the hit that it was opened from: ranges in bytes of the file.
function marksOf(target) {
  for (const { doc, snippet } of search.hits) {
    if (snippet && docTarget(doc.path, snippet.start_line, snippet.end_line) === target) {
      const from = snippet.start_byte;
      return snippet.highlights.map(({ start, end }) => ({ start: from + start, end: from + end }));
    }
  }
  return [];
}

// Explain ---------------------------------------------------------------------------------------

async function toggleExplain(hit) {
  const why = hit.querySelector('.why');
  const open = why.getAttribute('aria-expanded') !== 'true';
  why.setAttribute('aria-expanded', String(open));
  hit.querySelector('.explain')?.remove();
  if (!open) return;
  const place = el('div', { class: 'explain' }, el('p', { class: 'note' }, 'asking …'));
  hit.append(place);
  try {
    const { explanations, calibration } = await explanationsOfHits();
    const explain = explanations.get(hit.dataset.chunk);
    place.replaceChildren(...(explain ? explainElements(explain, calibration)
      : [el('p', { class: 'note' }, 'The store has changed since; search again.')]));
  } catch (error) {
    if (!isAbort(error)) showProblem(place, error);
  }
}

// One request explains all hits that are shown.
function explanationsOfHits() {
  const k = search.hits.length;
  if (search.explained?.k !== k) {
    const promise = search.newestExplain((signal) => run('search', askBody({ k, snippet: 0, explain: true }), signal))
      .then((answer) => ({
        explanations: new Map(answer.results.map(({ chunk, score, explain }) => [chunk.id, { ...explain, score }])),
        calibration: answer.explain.calibration,
      }));
    const mine = { k, promise };
    search.explained = mine;
    promise.catch(() => { if (search.explained === mine) search.explained = null; });
  }
  return search.explained.promise;
}

// The parts whose sum, times the calibration, is the score.
function partsOf(explain) {
  const ofPath = explain.path_part ?? 0;
  const rank = (number) => (number === undefined ? '' : `rank ${count(number)}`);
  const measured = (name, value, digits) => (value === undefined ? '' : `${name} ${value.toFixed(digits)}`);
  return [
    ['words', (explain.lexical_part ?? 0) - ofPath, measured('BM25', explain.lexical, 2), rank(explain.lexical_rank)],
    ['path', ofPath, measured('BM25', explain.path, 2), ''],
    ['n-grams', explain.gram_part, measured('BM25', explain.grams, 2), ''],
    ['meaning', explain.semantic_part, measured('cosine', explain.semantic, 3), rank(explain.semantic_rank)],
    ['neighbours', explain.neighbour_part, '', ''],
  ].filter(([, part, value]) => part !== undefined && (part !== 0 || value !== ''));
}

function explainElements(explain, calibration) {
  const parts = partsOf(explain);
  const sum = parts.reduce((total, [, part]) => total + Math.max(part, 0), 0);
  const whole = Math.max(sum, calibration ? 1 / calibration : sum) || 1; // the width of a score of 1
  const bar = shadedBar(parts.map(([, part]) => Math.max(part, 0) / whole));
  bar.setAttribute('aria-label', parts.map(([name, part]) => `${name} ${part.toFixed(3)}`).join(', '));
  const rows = parts.map(([name, part, value, rank], i) => el('tr', {},
    el('th', { scope: 'row' }, el('span', { class: `swatch shade-${i}` }), name),
    el('td', {}, part.toFixed(3)), el('td', {}, value), el('td', {}, rank)));
  const notes = [calibration === undefined ? `Score ${scoreText(explain.score)}.`
    : `The sum ${sum.toFixed(3)} × ${calibration.toFixed(3)} is the score ${scoreText(explain.score)}.`];
  if (explain.legs_rank !== undefined) notes.push(`Before reranking it had rank ${explain.legs_rank}.`);
  for (const { stage, was, rank, note } of explain.stages ?? []) {
    notes.push(`Stage ${stage}: rank ${was} → ${rank}${note ? ` (${note})` : ''}.`);
  }
  return [bar, el('table', { class: 'parts' }, ...rows), el('p', { class: 'note' }, notes.join(' '))];
}

// A bar whose parts have these shares of its width.
function shadedBar(shares) {
  const bar = el('div', { class: 'bar', role: 'img' });
  shares.forEach((share, i) => {
    const part = el('span', { class: `shade-${i}` });
    part.style.width = `${(100 * share).toFixed(2)}%`;
    bar.append(part);
  });
  return bar;
}

// Document --------------------------------------------------------------------------------------

const pane = {
  newest: newestOnly(),
  target: null, // of the document that is shown
  store: '',
  hash: '',
  citation: '', // with the hash of the cited lines
  first: 0, // lines that are shown
  last: 0,
};

async function showDocument(anew) {
  document.body.classList.toggle('has-document', state.doc !== '' && state.tab !== 'store');
  byId('document').hidden = state.doc === '' || state.tab === 'store';
  if (state.doc === '') {
    pane.target = null;
    return;
  }
  if (pane.target === state.doc && pane.store === state.store && !anew) return;
  Object.assign(pane, { target: state.doc, store: state.store });
  const { path, first, last } = parseTarget(state.doc);
  byId('document-title').replaceChildren(...citation(path, first, last));
  try {
    const around = docTarget(path, Math.max(1, first - LINES_AROUND), last + 2 * LINES_AROUND);
    const [passage, cited] = await pane.newest((signal) => Promise.all([
      run('get', { target: around }, signal), run('get', { target: state.doc, fields: 'cite' }, signal)]));
    showProblem(byId('document-problem'), null);
    pane.citation = cited.get.cite;
    showPassage(passage.get, last);
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) pane.target = null;
    byId('lines').replaceChildren();
    byId('more-above').hidden = byId('more-below').hidden = true;
    showProblem(byId('document-problem'), error);
  }
}

function showPassage({ doc, chunk }, last) {
  pane.hash = doc.hash;
  byId('document-facts').textContent = [
    doc.mtime?.slice(0, 19).replace('T', ' '), bytes(doc.size), doc.tag, doc.hash.slice(0, 12),
  ].filter(Boolean).join(' · ');
  const lines = byId('lines');
  lines.classList.toggle('code', doc.parser === 'code');
  lines.replaceChildren(...lineElements(chunk));
  pane.first = chunk.start_line;
  pane.last = chunk.end_line;
  byId('more-above').hidden = pane.first <= 1;
  byId('more-below').hidden = pane.last < last + 2 * LINES_AROUND;
  const cited = lines.querySelector('.cited');
  const scroller = byId('document');
  // A third from the top, below the head that stays.
  scroller.scrollTop = cited ? cited.offsetTop - scroller.clientHeight / 3 : 0;
}

// A passage of whole lines, with the marks of the hit that it was opened from.
function lineElements({ text, start_line: firstLine, start_byte: startByte }) {
  const cited = parseTarget(state.doc);
  const marks = marksOf(state.doc);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let at = startByte;
  return lines.map((line, i) => {
    const size = encoder.encode(line).length;
    const ranges = marks.filter(({ start, end }) => end > at && start < at + size)
      .map(({ start, end }) => ({ start: Math.max(start - at, 0), end: Math.min(end - at, size) }));
    const number = firstLine + i;
    at += size + 1;
    const isCited = number >= cited.first && number <= cited.last;
    return el('div', { class: isCited ? 'line cited' : 'line', 'data-number': number },
      showMarked(el('span', { class: 'text' }), line.replace(/\r$/, ''), ranges));
  });
}

async function moreLines(below) {
  const { path } = parseTarget(pane.target);
  const [first, last] = below ? [pane.last + 1, pane.last + LINES_MORE]
    : [Math.max(1, pane.first - LINES_MORE), pane.first - 1];
  try {
    const { get } = await pane.newest((signal) => run('get', { target: docTarget(path, first, last) }, signal));
    if (get.doc.hash !== pane.hash) return showDocument(true); // it was changed meanwhile
    addLines(get.chunk, below, last);
  } catch (error) {
    if (isAbort(error)) return;
    if (below && error instanceof Problem) byId('more-below').hidden = true; // there are no more
    else showProblem(byId('document-problem'), error);
  }
}

function addLines(chunk, below, wanted) {
  const lines = byId('lines');
  const scroller = byId('document');
  const heightBefore = scroller.scrollHeight;
  lines[below ? 'append' : 'prepend'](...lineElements(chunk));
  if (below) {
    pane.last = chunk.end_line;
    byId('more-below').hidden = chunk.end_line < wanted;
  } else {
    pane.first = chunk.start_line;
    byId('more-above').hidden = pane.first <= 1;
    scroller.scrollTop += scroller.scrollHeight - heightBefore; // what was read stays where it was
  }
}

function closeDocument() {
  const target = state.doc;
  go({ doc: '' });
  [...document.querySelectorAll('.cite')].find((link) => link.dataset.doc === target)?.focus();
}

// Context ---------------------------------------------------------------------------------------

const context = { newest: newestOnly(), asked: null, text: '' };

async function showContext(anew) {
  const question = JSON.stringify([questionOf(state), state.budget]);
  if (question === context.asked && !anew) return markOpenHit();
  context.asked = question;
  if (state.q.trim() === '') {
    context.newest(async () => {}).catch(() => {});
    showPacked(null);
    return showAskProblem(byId('context-problem'), null);
  }
  byId('pieces').classList.add('stale');
  try {
    const body = askBody({ budget_tokens: state.budget });
    const answer = await context.newest((signal) => run('context', body, signal));
    showAskProblem(byId('context-problem'), null);
    showPacked(answer.context);
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) context.asked = null;
    showAskProblem(byId('context-problem'), error);
  }
}

// `packed`: the context of an answer; null if there is no question.
function showPacked(packed) {
  context.text = packed?.text ?? '';
  byId('copy-context').disabled = context.text === '';
  byId('pieces').classList.remove('stale');
  byId('pieces').replaceChildren(...(packed?.chunks ?? []).map(pieceElement));
  const bar = byId('budget-bar');
  bar.hidden = !packed;
  if (!packed) {
    byId('context-status').textContent = 'The passages that answer a question, for a model: type one above.';
    return;
  }
  const { used_tokens: used, budget_tokens: budget, token_counter: counter } = packed;
  const said = `${count(used)} of ${count(budget)} tokens used, ${count(budget - used)} left`;
  bar.replaceChildren(...shadedBar([used / budget]).children);
  bar.setAttribute('aria-label', said);
  byId('context-status').textContent = `${said} (${counter}), ${packed.chunks.length} passages`;
  markOpenHit();
}

function pieceElement({ path, start_line: first, end_line: last, heading, text }) {
  return el('li', { class: 'piece' },
    el('div', { class: 'hit-head' }, citeLink(path, first, last)),
    heading && showText(el('p', { class: 'heading' }), heading),
    showText(el('p', { class: 'piece-text' }), text));
}

// Store -----------------------------------------------------------------------------------------

const store = { newest: newestOnly(), timer: null, events: null, shown: null, commit: null };

function showStore(anew) {
  const visible = state.tab === 'store';
  const changed = anew || store.shown !== state.store;
  if (!visible || changed) leaveStore();
  if (!visible || store.timer !== null) return;
  store.shown = state.store;
  showFigures();
  pollMetrics();
  followEvents();
}

function leaveStore() {
  clearTimeout(store.timer);
  store.events?.abort();
  Object.assign(store, { timer: null, events: null, shown: null, commit: null });
}

async function showFigures() {
  try {
    const [answer, version] = await store.newest(async (signal) => Promise.all([
      run('stats', {}, signal), ask('/version', { signal }).then((response) => response.json())]));
    showProblem(byId('store-problem'), null);
    store.commit = answer.stats.snapshot;
    byId('figures').replaceChildren(...figureElements(answer, version));
    byId('sizes').replaceChildren(sizesElement(answer.store.sizes));
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('store-problem'), error);
  }
}

function figureElements({ stats, store: facts }, version) {
  const figures = [
    ['documents', count(stats.corpus.docs)],
    ['chunks', count(stats.corpus.chunks)],
    ['words', count(stats.corpus.tokens)],
    ['text', bytes(stats.corpus.bytes)],
    ['file', bytes(stats.db_size_bytes)],
    ['commit', stats.snapshot],
    ['vectors', `${facts.embedding}, ${facts.embedding_dim}`],
    ['removed chunks', count(facts.removed_chunks)],
    ['recall', version.version.program],
  ];
  return figures.map(([name, value]) => el('div', {}, el('dt', {}, name), showText(el('dd'), String(value))));
}

function sizesElement(sizes) {
  const parts = Object.entries(sizes ?? {});
  const sum = parts.reduce((total, [, size]) => total + size, 0) || 1;
  const bar = shadedBar(parts.map(([, size]) => size / sum));
  bar.setAttribute('aria-label', parts.map(([name, size]) => `${name} ${bytes(size)}`).join(', '));
  return el('div', { class: 'sizes' }, bar, legend(parts.map(([name, size]) => `${name} ${bytes(size)}`)));
}

function legend(names) {
  const entry = (name, i) => el('span', {}, el('span', { class: `swatch shade-${i}` }), name);
  return el('p', { class: 'legend' }, ...names.map(entry));
}

// Measurements ----------------------------------------------------------------------------------

async function pollMetrics() {
  store.timer = setTimeout(pollMetrics, METRICS_MS);
  if (document.hidden) return;
  try {
    const response = await ask('/metrics');
    if (response.ok) showMetrics(parseMetrics(await response.text()));
    else showLatency([]);
  } catch (error) {
    if (!(error instanceof Gone)) showProblem(byId('store-problem'), error);
  }
}

// Samples of the text format of Prometheus: {name, labels, value}.
function parseMetrics(text) {
  const samples = [];
  for (const line of text.split('\n')) {
    const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)/.exec(line);
    if (!match) continue;
    const labels = {};
    for (const [, name, value] of (match[2] ?? '').matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)) {
      labels[name] = value.replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));
    }
    samples.push({ name: match[1], labels, value: Number(match[3].replace('+Inf', 'Infinity')) });
  }
  return samples;
}

// Histograms by the value of `label`: [{name, count, quantile(q)}], with at least one measurement.
function histograms(samples, metric, label) {
  const byName = new Map();
  for (const { name, labels, value } of samples) {
    if (name !== `${metric}_bucket`) continue;
    const bound = Number(labels.le.replace('+Inf', 'Infinity'));
    byName.set(labels[label], [...(byName.get(labels[label]) ?? []), { bound, below: value }]);
  }
  return [...byName].map(([name, buckets]) => histogram(name, buckets)).filter(({ count: n }) => n > 0);
}

function histogram(name, buckets) {
  buckets.sort((a, b) => a.bound - b.bound);
  const all = buckets.at(-1).below;
  // Within a bucket the measurements are taken to be spread evenly.
  const quantile = (share) => {
    const rank = share * all;
    const i = buckets.findIndex(({ below }) => below >= rank);
    const { bound, below } = buckets[i];
    const from = i > 0 ? buckets[i - 1] : { bound: 0, below: 0 };
    if (bound === Infinity) return from.bound;
    return from.bound + ((bound - from.bound) * (rank - from.below)) / Math.max(below - from.below, 1e-9);
  };
  return { name, count: all, quantile };
}

function showMetrics(samples) {
  const value = (name) => samples.find((sample) => sample.name === name)?.value;
  const total = (name, outcome) => samples
    .filter((sample) => sample.name === name && (!outcome || sample.labels.outcome === outcome))
    .reduce((sum, sample) => sum + sample.value, 0);
  const facts = [`up for ${duration(value('recall_uptime_seconds') ?? 0)}`,
    `${count(total('recall_requests_total'))} requests`];
  const asked = total('recall_cache_requests_total');
  const hits = total('recall_cache_requests_total', 'hit');
  if (asked > 0) facts.push(`${Math.round((100 * hits) / asked)} % from the cache`);
  if (value('recall_connections') !== undefined) facts.push(`${count(value('recall_connections'))} connections`);
  showLatency([
    ['by route', histograms(samples, 'recall_request_seconds', 'route')],
    ['by stage of a search', histograms(samples, 'recall_stage_seconds', 'stage')],
  ], facts.join(' · '));
}

function showLatency(plots, facts = '') {
  const shown = plots.filter(([, rows]) => rows.length > 0);
  byId('latency-status').textContent = facts || 'No measurements';
  // An open table of numbers stays open.
  const open = new Set([...document.querySelectorAll('.plot details[open]')].map((details) => details.dataset.plot));
  const room = byId('plots').clientWidth;
  const width = Math.max(280, room / (room > 900 && shown.length > 1 ? 2 : 1) - 54); // less the padding of a plot
  byId('plots').replaceChildren(...shown.map(([title, rows]) => latencyPlot(title, rows, width, open.has(title))));
}

// A row for each name, on a logarithmic axis of time: from the median (dot) to the 95th and 99th percentile.
function latencyPlot(title, rows, width, open) {
  const left = 110;
  const right = 16;
  const height = 26 * rows.length + 26;
  const ends = rows.flatMap(({ quantile }) => [0.5, 0.99].map((share) => Math.max(quantile(share), 1e-6)));
  const low = 10 ** Math.floor(Math.log10(Math.min(...ends)));
  const high = Math.max(10 ** Math.ceil(Math.log10(Math.max(...ends))), low * 10);
  const scale = (width - left - right) / Math.log(high / low);
  const x = (seconds) => left + scale * Math.log(Math.max(seconds, low) / low);
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', height });
  const decade = x(low * 10) - x(low);
  for (let i = 0; low * 10 ** i <= high * 1.001; ++i) {
    const at = x(low * 10 ** i);
    picture.append(svg('line', { class: 'grid', x1: at, x2: at, y1: 0, y2: height - 20 }));
    if (decade < 50 && i % 2 === 1) continue; // no place for each
    const label = duration(low * 10 ** i).replace('.0', '');
    picture.append(svg('text', { class: 'axis', x: at, y: height - 6, 'text-anchor': 'middle' }, label));
  }
  rows.forEach(({ name, quantile }, i) => {
    const y = 26 * i + 13;
    const [median, p95, p99] = [0.5, 0.95, 0.99].map(quantile);
    picture.append(
      svg('text', { x: 0, y: y + 4 }, name),
      svg('line', { class: 'range', x1: x(median), x2: x(p99), y1: y, y2: y }),
      svg('line', { class: 'most', x1: x(median), x2: x(p95), y1: y, y2: y }),
      svg('circle', { class: 'median', cx: x(median), cy: y, r: 6 }));
  });
  const said = rows.map(({ name, quantile }) =>
    `${name}: median ${duration(quantile(0.5))}, 95 % within ${duration(quantile(0.95))}`);
  picture.setAttribute('aria-label', `Latency ${title}. ${said.join('. ')}.`);
  return el('figure', { class: 'plot' },
    el('figcaption', {}, `${title}: median, 95 %, 99 %`), picture, numbersOf(title, rows, open));
}

function numbersOf(title, rows, open) {
  const details = el('details', open ? { open: '' } : {}, el('summary', {}, 'numbers'), el('table', {},
    el('tr', {}, ...['', 'count', 'median', '95 %', '99 %'].map((head) => el('th', { scope: 'col' }, head))),
    ...rows.map(({ name, count: n, quantile }) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, count(n)),
      ...[0.5, 0.95, 0.99].map((share) => el('td', {}, duration(quantile(share))))))));
  details.dataset.plot = title;
  return details;
}

// Offers the stores of the server; one needs no choice. Without a choice the first one answers.
async function showStoreNames() {
  const response = await ask('/v1/stores').catch(() => null);
  if (!response?.ok) return;
  const names = (await response.json()).stores.map(({ name }) => name);
  byId('stores').hidden = names.length < 2;
  byId('store').replaceChildren(...names.map((name) => el('option', { value: name }, name)));
  byId('store').value = state.store || names[0];
}

// Events ----------------------------------------------------------------------------------------

// Follows the events of the server as long as the view of the store is open. EventSource cannot
// send the token, so the stream is read by hand.
async function followEvents() {
  const controller = new AbortController();
  store.events = controller;
  const { signal } = controller;
  for (let wait = 500; !signal.aborted; wait = Math.min(2 * wait, 10000)) {
    try {
      const response = await ask('/v1/events', { signal, headers: { Accept: 'text/event-stream' } });
      if (!response.ok) {
        byId('events-status').textContent = 'No events';
        return;
      }
      byId('events-status').textContent = 'Connected; events appear here.';
      wait = 500;
      await readEvents(response.body, showEvent);
      byId('events-status').textContent = 'The connection was closed; connecting again.';
      await pause(wait, signal);
    } catch (error) {
      if (isAbort(error) || error instanceof Gone) return; // when the server is back, all is shown anew
      byId('events-status').textContent = 'The connection broke; connecting again.';
      await pause(wait, signal).catch(() => {});
    }
  }
}

// Calls `each(name, data)` for the events of a stream of text/event-stream.
async function readEvents(stream, each) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop();
    for (const event of events) {
      const field = (name) => event.split(/\r?\n/).filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).trimStart()).join('\n');
      if (field('data') !== '') each(field('event') || 'message', JSON.parse(field('data')));
    }
  }
}

function showEvent(name, data) {
  if (name === 'stage') return OWN_COMMANDS.includes(data.command) ? null : showStage(data);
  // A stream begins with the commit that the figures have already.
  if (name === 'commit' && store.commit !== null && data.snapshot !== store.commit) showFigures();
  if (name === 'progress') return showProgress(data);
  addEvent(eventElement(name, Object.entries(data).map(([key, value]) => `${key} ${value}`).join(' · ')));
}

function eventElement(name, what) {
  return el('li', { class: 'event' }, el('time', {}, new Date().toTimeString().slice(0, 8)), el('strong', {}, name),
    showText(el('span', { class: 'what' }), what));
}

function addEvent(row) {
  const list = byId('events');
  list.prepend(row);
  while (list.children.length > MOST_EVENTS) list.lastChild.remove();
}

// What happens for a request is one row, which grows.
function rowOf(request, command) {
  const known = [...byId('events').children].find((row) => row.dataset.request === String(request));
  if (known) return known;
  const row = eventElement(command, '');
  row.dataset.request = request;
  row.stages = [];
  addEvent(row);
  return row;
}

function showProgress({ request, command, stage, documents, documents_total: all }) {
  const total = all === null || all === undefined ? '' : ` of ${count(all)}`;
  rowOf(request, command).querySelector('.what').textContent = `${stage} · ${count(documents)}${total} documents`;
}

function showStage({ request, command, stage, state: moment, micros }) {
  const row = rowOf(request, command);
  if (moment === 'begin') return;
  row.stages.push([stage, micros ?? 0]);
  const done = row.stages.find(([name]) => name === 'done');
  const stages = row.stages.filter(([name]) => name !== 'done');
  const times = (done ? [...stages, done] : stages).map(([name, time]) => `${name} ${duration(time / 1e6)}`);
  const said = times.join(' · ');
  row.querySelector('.what').textContent = said;
  row.querySelector('.bar')?.remove();
  const sum = Math.max(done?.[1] ?? 0, stages.reduce((total, [, time]) => total + time, 0)) || 1;
  const bar = shadedBar(stages.slice(0, 5).map(([, time]) => time / sum));
  bar.setAttribute('aria-label', said);
  row.append(bar);
}

// The whole page --------------------------------------------------------------------------------

// Makes the page agree with the state. `anew`: although it seems to.
function show({ anew = false } = {}) {
  for (const tab of TABS) {
    const selected = tab === state.tab;
    byId(`panel-${tab}`).hidden = !selected;
    byId(`tab-${tab}`).setAttribute('aria-selected', String(selected));
    byId(`tab-${tab}`).tabIndex = selected ? 0 : -1;
  }
  document.body.classList.toggle('on-store', state.tab === 'store');
  setValue(byId('query'), state.q);
  setValue(byId('filter'), state.filter);
  setValue(byId('budget'), String(state.budget));
  setValue(byId('budget-number'), String(state.budget));
  const stores = byId('store');
  stores.value = state.store || stores.options[0]?.value;
  document.title = state.q.trim() ? `${state.q.trim()} – Recall` : 'Recall';
  if (state.tab === 'search') showSearch(anew);
  if (state.tab === 'context') showContext(anew);
  showStore(anew);
  showDocument(anew);
}

function setValue(input, value) {
  if (typing && input === document.activeElement) return; // what the user types just now is newer
  if (input.value !== value) input.value = value;
}

// Calls `task` after a pause in which it was not called again.
function afterPause(task) {
  let timer = null;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(now, PAUSE_MS);
  };
  const now = () => {
    clearTimeout(timer);
    task();
  };
  return { later, now };
}

function readAsk() {
  go({ q: byId('query').value, filter: byId('filter').value }, 'type');
}

function connectFields() {
  const typed = afterPause(readAsk);
  for (const id of ['query', 'filter']) {
    byId(id).addEventListener('input', typed.later);
    // After Enter, or when the field is left, what is typed next is a new entry of the history.
    byId(id).addEventListener('change', () => {
      typed.now();
      typing = false;
    });
  }
  byId('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    typed.now();
    typing = false;
  });
  const budget = afterPause(() => go({ budget: budgetValue }, 'type'));
  let budgetValue = START.budget;
  for (const id of ['budget', 'budget-number']) {
    byId(id).addEventListener('input', () => {
      if (!byId(id).checkValidity() || byId(id).value === '') return;
      budgetValue = Number(byId(id).value);
      for (const other of ['budget', 'budget-number']) if (other !== id) byId(other).value = budgetValue;
      budget.later();
    });
    byId(id).addEventListener('change', () => (typing = false));
  }
}

function connectButtons() {
  for (const tab of TABS) byId(`tab-${tab}`).addEventListener('click', () => go({ tab }));
  byId('more-hits').addEventListener('click', moreHits);
  byId('more-above').addEventListener('click', () => moreLines(false));
  byId('more-below').addEventListener('click', () => moreLines(true));
  byId('close-document').addEventListener('click', closeDocument);
  byId('copy-citation').addEventListener('click', () => copy(pane.citation, 'Citation'));
  byId('copy-context').addEventListener('click', () => copy(context.text, 'Context'));
  byId('help-button').addEventListener('click', () => byId('help').showModal());
  byId('close-help').addEventListener('click', () => byId('help').close());
  byId('token-cancel').addEventListener('click', () => byId('token-dialog').close());
  byId('store').addEventListener('change', () => go({ store: byId('store').value, doc: '' }));
}

// Keys ------------------------------------------------------------------------------------------

const shownLinks = () => [...document.querySelectorAll(`#panel-${state.tab} .cite`)];

// The result that has the focus, or that is open; the first one otherwise.
function currentLink() {
  const links = shownLinks();
  return document.activeElement.closest('.hit, .piece')?.querySelector('.cite')
    ?? links.find((link) => link.dataset.doc === state.doc) ?? links[0];
}

function move(step) {
  const links = shownLinks();
  const isInList = document.activeElement.closest('.hit, .piece') || state.doc;
  const at = links.indexOf(currentLink());
  const next = isInList && at >= 0 ? at + step : 0;
  if (next < 0) return byId('query').focus();
  const link = links[Math.min(next, links.length - 1)];
  link?.focus();
  link?.closest('li').scrollIntoView({ block: 'nearest' });
}

function openCurrent() {
  currentLink()?.click();
}

function explainCurrent() {
  const hit = currentLink()?.closest('.hit');
  if (hit) toggleExplain(hit);
}

function focusQuery() {
  if (state.tab === 'store') go({ tab: 'search' });
  byId('query').focus();
  byId('query').select();
}

function switchTab(step) {
  const tab = TABS[(TABS.indexOf(state.tab) + step + TABS.length) % TABS.length];
  go({ tab });
  byId(`tab-${tab}`).focus();
}

const KEYS = {
  '/': focusQuery,
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  e: explainCurrent,
  '?': () => byId('help').showModal(),
  1: () => go({ tab: 'search' }),
  2: () => go({ tab: 'context' }),
  3: () => go({ tab: 'store' }),
};

function keyInField(event, field) {
  if (event.key === 'ArrowDown' && field.type !== 'range' && field.type !== 'number') return () => move(1);
  // Enter opens the first result, if these are the results of what is typed.
  if (event.key === 'Enter' && field.id === 'query') {
    const isAsked = questionOf(state) === questionOf({ ...state, q: field.value });
    return isAsked && !byId('hits').hasAttribute('aria-busy') ? openCurrent : null;
  }
  return null;
}

function actionOf(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  if (document.querySelector('dialog[open]')) return null; // it has keys of its own
  if (key === 'Escape') return state.doc ? closeDocument : () => document.activeElement.blur();
  if (target.matches('input, select, textarea')) return keyInField(event, target);
  const arrow = key.startsWith('Arrow');
  if (arrow && target.matches('[role="tab"]')) {
    return key === 'ArrowRight' ? () => switchTab(1) : key === 'ArrowLeft' ? () => switchTab(-1) : null;
  }
  if (arrow && (target.closest('.document') || state.tab === 'store')) return null; // they scroll
  return KEYS[key];
}

function connectKeys() {
  document.addEventListener('keydown', (event) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

// Start -----------------------------------------------------------------------------------------

connectFields();
connectButtons();
connectKeys();
window.addEventListener('popstate', () => show({ anew: readFragment() }));
readFragment();
show();
showStoreNames();
if (state.doc === '' && state.tab !== 'store') byId('query').focus();
