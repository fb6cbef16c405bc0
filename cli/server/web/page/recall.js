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
const MOST_LISTED = 100; // notes
const LINES_AROUND = 30; // a citation
const LINES_MORE = 120;
const TURNS = 30; // of a session, at a time: so many, or fewer that have about so many bytes
const TURNS_BYTES = 2_000_000;
const MOST_TURNS = 300; // that are shown
const TURN_LENGTH = 20_000; // characters of a turn that are shown at once
const MOST_CALLS = 500; // of tools, of a turn
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
  element.append(...children.filter((child) => child !== '' && child !== null && child !== undefined && child !== false));
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

const START = { tab: 'search', q: '', filter: '', view: '', notes: '', doc: '', turn: '', role: '', budget: 1200, store: '' };
const NO_DOC = { doc: '', turn: '', role: '' };
const TABS = ['search', 'context', 'reviews', 'store'];
const ROLES = ['human', 'assistant']; // of turns

function stateOf(fragment) {
  const given = new URLSearchParams(fragment);
  const state = { ...START };
  for (const name of ['tab', 'q', 'filter', 'view', 'notes', 'doc', 'turn', 'role', 'store']) state[name] = given.get(name) ?? START[name];
  if (!TABS.includes(state.tab)) state.tab = START.tab;
  if (!/^\d{1,9}$/.test(state.turn)) state.turn = START.turn;
  if (!ROLES.includes(state.role)) state.role = START.role;
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
const showMarked = (parent, text, ranges) => showRanges(parent, text, inCharacters(text, ranges));

// Ranges in bytes of a text as ranges in its characters, as JavaScript counts them.
function inCharacters(text, ranges) {
  const all = encoder.encode(text);
  let [at, byte] = [0, 0];
  const moveTo = (next) => {
    at += decoder.decode(all.subarray(byte, next)).length;
    byte = next;
    return at;
  };
  return ranges.map(({ start, end }) => ({ start: moveTo(start), end: moveTo(end) }));
}

function showRanges(parent, text, ranges) {
  let at = 0;
  for (const { start, end } of ranges) {
    showText(parent, text.slice(at, start));
    parent.append(showText(el('mark'), text.slice(start, end)));
    at = end;
  }
  return showText(parent, text.slice(at));
}

// "docs/a.md:9-17" in two shades; the name of the file matters most. A last line of 0: the whole document. `turn`: of
// a session, instead of lines.
function citation(path, first, last, turn = '') {
  const slash = path.lastIndexOf('/') + 1;
  return [
    el('bdi', { class: 'path' }, showText(el('span', { class: 'folder' }), path.slice(0, slash)),
      showText(el('span', { class: 'file' }), path.slice(slash))),
    ' ',
    turn !== '' ? el('span', { class: 'where' }, `turn ${turn}`)
      : last > 0 && el('span', { class: 'where' }, first === last ? `${first}` : `${first}–${last}`),
  ].filter(Boolean);
}

const docTarget = (path, first, last) => `${path}:${first}-${last}`;

function parseTarget(target) {
  const match = /^(.*):(\d+)-(\d+)$/s.exec(target);
  if (!match) return { path: target, first: 1, last: 0 };
  return { path: match[1], first: Number(match[2]), last: Number(match[3]) };
}

// A link that opens the document; its address works elsewhere, too.
function citeLink(path, first, last, turn = '') {
  const target = docTarget(path, first, last);
  return opens(el('a', { class: 'cite' }, ...citation(path, first, last, turn)), target, { turn });
}

// `more`: what else is set in the state; of a session its turn and the role.
function opens(link, target, more = {}) {
  const change = { ...NO_DOC, doc: target, ...more };
  link.setAttribute('href', fragmentOf({ ...state, ...change }));
  link.dataset.doc = target;
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(change);
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

const questionOf = ({ q, filter, view, notes, store }) =>
  JSON.stringify([q.trim(), filter.trim(), view, notes, store]);

function wholeFilter() {
  const typed = state.filter.trim();
  return !state.notes ? typed : typed ? `(${typed}) AND doc.kind = 'note'` : "doc.kind = 'note'";
}

function askBody(more) {
  const filter = wholeFilter();
  return { query: state.q.trim(), ...(filter ? { filter } : {}), ...(state.view ? { view: state.view } : {}), ...more };
}

// A view may ask for a lean answer, which has no snippets.
const searchBody = (more) => askBody({ ...(state.view ? { payload: 'full' } : {}), ...more });

// Without words the view `sessions` lists the latest.
const listsSessions = () => state.view === 'sessions' && state.q.trim() === '' && state.notes === '';

function findHits(more, signal) {
  if (!listsSessions()) return run('search', searchBody({ k: HITS, snippet: SNIPPET_BYTES, ...more }), signal);
  const filter = wholeFilter();
  return run('sessions', { limit: HITS, payload: 'full', ...(filter ? { filter } : {}), ...more }, signal);
}

async function showSearch(anew) {
  const question = questionOf(state);
  if (question === search.asked && !anew) return markOpenHit();
  search.asked = question;
  search.explained = null;
  const none = state.q.trim() === '';
  byId('intro').hidden = !none || state.notes !== '' || listsSessions();
  if (none && state.notes) return listNotes();
  if (none && !listsSessions()) {
    search.newest(async () => {}).catch(() => {}); // cancels what is on its way
    clearHits();
    byId('status').textContent = '';
    return showAskProblem(byId('search-problem'), null);
  }
  byId('hits').classList.add('stale');
  byId('hits').setAttribute('aria-busy', 'true');
  try {
    const answer = await search.newest((signal) => findHits({}, signal));
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

// Without words there is no ranking: the newest notes.
async function listNotes() {
  const rql = `SELECT doc.path, doc.parser, doc.meta FROM doc FILTER ${wholeFilter()} ORDER BY doc.mtime DESC, doc.path LIMIT ${MOST_LISTED}`;
  try {
    const { results } = await search.newest((signal) => run('query', { rql }, signal));
    showAskProblem(byId('search-problem'), null);
    clearHits();
    byId('hits').append(...results.map(({ doc }) => {
      const card = cardOf({ ...doc, parser: 'note' });
      return el('li', { class: 'hit' },
        el('div', { class: 'hit-head' }, opens(el('a', { class: 'cite' }, ...citation(doc.path, 1, 0)), doc.path)),
        card && el('p', { class: 'hit-note' }, showText(el('strong'), card.title), ...chipsOf(card)),
        card?.summary && showText(el('p', { class: 'heading' }), card.summary));
    }));
    byId('status').textContent = results.length === 0 ? 'No notes'
      : results.length === MOST_LISTED ? `The newest ${MOST_LISTED} notes` : `${results.length} notes, the newest first`;
    markOpenHit();
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) search.asked = null;
    clearHits();
    byId('status').textContent = '';
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
  const what = listsSessions() ? 'session' : 'result';
  byId('status').textContent = total === 0 ? (listsSessions() ? 'No sessions' : 'Nothing found')
    : `${shown} of ${atLeast ? 'at least ' : ''}${count(total)} ${what}${total === 1 ? '' : 's'}${listsSessions() ? ', the latest first' : ''}`;
  for (const warning of answer.warnings ?? []) byId('status').append(el('span', { class: 'note' }, ` · ${warning}`));
  markOpenHit();
}

async function moreHits() {
  try {
    addHits(await search.newest((signal) => findHits({ offset: search.next }, signal)));
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('search-problem'), error);
  }
}

function hitElement({ score, doc, chunk, snippet, identical }) {
  const why = !listsSessions() && el('button', { class: 'why', 'aria-expanded': 'false', title: 'Why this rank (e)' }, 'why?');
  const code = doc.parser === 'code' ? ' code' : '';
  const card = cardOf(doc);
  const turn = isSession(doc) ? turnOf(chunk.heading) : null;
  const hit = el('li', { class: 'hit' },
    el('div', { class: 'hit-head' },
      citeLink(doc.path, snippet?.start_line ?? chunk.start_line, snippet?.end_line ?? chunk.end_line, turn?.number),
      why, why && el('span', { class: 'score', title: 'score' }, scoreText(score))),
    card && el('p', { class: 'hit-note' }, showText(el('strong'), card.title), ...chipsOf(card)),
    isSession(doc) && sessionLine(doc.meta ?? {}),
    card?.summary && showText(el('p', { class: 'heading' }), card.summary),
    turn ? el('p', { class: 'heading' }, `${turn.role} `, timeElement(turn.at))
      : chunk.heading && showText(el('p', { class: 'heading' }), chunk.heading),
    snippet && (card && isOfCard(chunk, snippet) ? showText(el('p', { class: 'snippet' }), shorten(withoutCard(chunk.text), SNIPPET_BYTES))
      : showMarked(el('p', { class: `snippet${code}` }), snippet.text.trimEnd(), snippet.highlights)),
    identical && el('p', { class: 'same' }, `and ${identical} more with the same text`));
  hit.dataset.chunk = chunk.id;
  if (why) why.addEventListener('click', () => toggleExplain(hit));
  return hit;
}

// What the card of a note says; null for other documents, and for a card without a title.
function cardOf({ parser, meta }) {
  if (parser !== 'note' || typeof meta?.title !== 'string') return null;
  const texts = (value) => [value ?? []].flat().filter((item) => typeof item === 'string');
  const text = (value) => (typeof value === 'string' ? value : '');
  return {
    title: meta.title, type: text(meta.type), summary: text(meta.summary), scope: text(meta.scope),
    status: meta.obsolete === true ? 'obsolete' : text(meta.status),
    tags: texts(meta.tags), triggers: texts(meta.recall_when), topics: texts(meta.topic_path),
    times: ['created', 'updated', 'valid_until'].map((name) => [name.replace('_', ' '), text(meta[name]).slice(0, 10)])
      .filter(([, day]) => day !== ''),
  };
}

const CARD = /^---\r?\n[^]*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
const withoutCard = (text) => text.replace(CARD, '').trim();
// What the card says is shown already.
const isOfCard = (chunk, snippet) => chunk.start_byte === 0
  && snippet.start_byte < encoder.encode(CARD.exec(chunk.text)?.[0] ?? '').length;

const chip = (text, kind = '') => showText(el('span', { class: `chip ${kind}` }), text);

// Type, state and tags. `lifecycle`: undefined if it is not known.
function chipsOf({ type, status, tags }, lifecycle) {
  const state = lifecycle ?? status;
  const late = ['stale', 'expired', 'obsolete'].includes(state) ? 'late' : '';
  return [type && chip(type, 'type'), state && state !== 'active' && chip(state, late),
    ...tags.map((tag) => chip(`#${tag}`))].filter(Boolean);
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
  if (!why) return; // a list without ranks
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
    const promise = search.newestExplain((signal) => run('search', searchBody({ k, snippet: 0, explain: true }), signal))
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
  turn: '',
  role: '',
  session: null, // if it is one
  store: '',
  hash: '',
  citation: '', // with the hash of the cited lines
  card: null, // of a note
  lifecycle: undefined, // its state
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
  const { turn, role } = state;
  const same = pane.target === state.doc && pane.store === state.store;
  if (same && pane.turn === turn && pane.role === role && !anew) return;
  Object.assign(pane, { target: state.doc, turn, role, store: state.store });
  const { path, first, last } = parseTarget(state.doc);
  byId('document-title').replaceChildren(...citation(path, first, last, turn));
  showLinks(path);
  try {
    const [passage, cited, session] = await pane.newest(async (signal) => {
      const [got, cite] = await Promise.all([
        passageOf(signal), run('get', { target: state.doc, fields: 'cite' }, signal)]);
      return [got, cite.get.cite, isSession(got.doc) ? await openSession(got, signal) : null];
    });
    showProblem(byId('document-problem'), null);
    pane.citation = cited;
    pane.session = session;
    for (const id of ['session-card', 'turn-choice', 'turns']) byId(id).hidden = !session;
    byId('lines').hidden = session !== null;
    byId('more-above').textContent = session ? 'Earlier turns' : 'Lines above';
    byId('more-below').textContent = session ? 'Later turns' : 'Lines below';
    showFacts(passage.doc);
    if (session) return showConversation(passage.doc);
    byId('turns').replaceChildren();
    showPassage(passage, last);
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) pane.target = null;
    byId('lines').replaceChildren();
    byId('turns').replaceChildren();
    pane.session = null;
    byId('note-card').hidden = byId('session-card').hidden = byId('turn-choice').hidden = true;
    byId('more-above').hidden = byId('more-below').hidden = true;
    showProblem(byId('document-problem'), error);
  }
}

// The lines around those of the state; of a session whose turn is known, its first line.
async function passageOf(signal) {
  const { path, first, last } = parseTarget(state.doc);
  if (state.turn !== '') {
    const { get } = await run('get', { target: docTarget(path, 1, 1) }, signal);
    if (isSession(get.doc)) return get;
  }
  const around = docTarget(path, Math.max(1, first - LINES_AROUND), last + 2 * LINES_AROUND);
  return (await run('get', { target: around }, signal)).get;
}

function showFacts(doc) {
  pane.hash = doc.hash;
  byId('document-facts').textContent = [
    doc.mtime?.slice(0, 19).replace('T', ' '), bytes(doc.size), doc.tag, doc.hash.slice(0, 12),
  ].filter(Boolean).join(' · ');
  pane.card = cardOf(doc);
  showCard();
}

function showPassage({ doc, chunk }, last) {
  const lines = byId('lines');
  lines.classList.toggle('code', doc.parser === 'code');
  lines.replaceChildren(...lineElements(chunk));
  pane.first = chunk.start_line;
  pane.last = chunk.end_line;
  byId('more-above').hidden = pane.first <= 1;
  byId('more-below').hidden = pane.last < last + 2 * LINES_AROUND;
  const cited = lines.querySelector('.cited');
  const scroller = byId('document');
  // A third from the top, below the head that stays. The card of a note and its beginning are seen together.
  const atTop = !cited || (pane.card && pane.first === 1 && parseTarget(state.doc).first < 40);
  scroller.scrollTop = !atTop ? cited.offsetTop - scroller.clientHeight / 3 : 0;
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
  if (pane.session) return moreTurns(below);
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
  go(NO_DOC);
  [...document.querySelectorAll('.cite')].find((link) => link.dataset.doc === target)?.focus();
}

// Sessions: a conversation, turn by turn ----------------------------------------------------------

const isSession = ({ parser }) => parser === 'session';

// What the heading of a chunk of a session says: "12 assistant 2026-02-25T10:00:08Z"; null for other headings.
function turnOf(heading) {
  const match = /^(\d+) (human|assistant) (\S+)$/.exec(heading ?? '');
  return match && { number: match[1], role: match[2], at: match[3] === '-' ? null : match[3] };
}

const timeText = (at) => at.slice(0, 19).replace('T', ' ');
const timeElement = (at) => (at ? el('time', { datetime: at }, timeText(at)) : '');
const textIn = (value) => (typeof value === 'string' ? value : '');
const textsIn = (value) => [value ?? []].flat().filter((item) => typeof item === 'string' && item !== '');

// Of a session in a list of results: its title, agent, branch and day.
function sessionLine(meta) {
  const facts = [textIn(meta.agent), textIn(meta.branch), textIn(meta.captured_at).slice(0, 10)].filter(Boolean);
  return el('p', { class: 'hit-note' }, showText(el('strong'), textIn(meta.title)),
    ...facts.map((fact, i) => chip(fact, i === 0 ? 'type' : '')));
}

// How many turns are read at a time.
const turnsAtATime = ({ size, meta }) => Math.min(TURNS, Math.max(1, Math.floor((TURNS_BYTES * (meta?.turns || 1)) / (size || 1))));

// `from`: { path, role, step } of a session: which turns of it are read, and how many at a time.
async function readTurns({ path, role, step }, offset, signal) {
  return (await run('get', { target: path, turns: `${offset}:${step}`, full: true, ...(role ? { role } : {}) }, signal)).get;
}

// The turns around the one that the state names, or that has the first of its lines.
async function openSession({ doc, chunk }, signal) {
  const { first, last } = parseTarget(state.doc);
  const { turn, role } = state;
  const number = turn !== '' ? Number(turn) : last > 0 ? await turnOfLine(doc.path, chunk, first, signal) : 0;
  const from = { path: doc.path, role, step: turnsAtATime(doc) };
  const page = await turnsFrom(from, number, signal);
  const opened = turn !== '' || last > 0 ? number : null;
  return { ...from, opened, page, first: page.offset, next: page.offset + page.turns.length };
}

// The turn that has a line: that of the last heading before it. What was said has no such lines.
async function turnOfLine(path, { text, start_line: from }, line, signal) {
  const lines = text.split('\n').slice(0, line - from + 1);
  const heading = lines.map((one) => /^## (\d+) (?:human|assistant) /.exec(one)).findLast(Boolean);
  if (heading) return Number(heading[1]);
  if (from <= 1) return 0;
  const before = docTarget(path, Math.max(1, from - 8 * (line - from + LINES_AROUND)), line);
  return turnOfLine(path, (await run('get', { target: before }, signal)).get.chunk, line, signal);
}

// A page of the turns that begins a little before a turn, or before the one after it that this role has. The place
// of a turn among those of one role is not known, so it is looked for; as the two take turns, seldom for long.
async function turnsFrom(from, number, signal) {
  const before = Math.floor(from.step / 7);
  let [low, high] = [0, Infinity]; // the place is at or behind `low`, and before `high` unless there is none
  for (let at = Math.max(0, (from.role ? Math.floor(number / 2) : number) - before); ;) {
    const page = await readTurns(from, at, signal);
    const { turns, total_turns: total } = page;
    high = Math.min(high, total);
    if (turns.length === 0 && total > 0) {
      at = Math.max(0, total - from.step); // there are not so many
    } else if (turns.length === 0 || !from.role) {
      return page;
    } else if (turns[0].ordinal > number && at > low) {
      high = at + 1;
      at = Math.floor((low + at) / 2);
    } else if (turns.at(-1).ordinal < number && at + turns.length < high) {
      low = at + turns.length;
      at = Math.floor((low + high) / 2);
    } else {
      return page;
    }
  }
}

function showConversation(doc) {
  const { session } = pane;
  byId('turn-role').value = session.role;
  setValue(byId('turn-number'), String(session.opened ?? 0));
  showSessionCard(doc.meta ?? {}, session.page);
  byId('turns').replaceChildren(...turnElements(session.page));
  showTurnRange();
  const opened = byId('turns').querySelector('[aria-current]');
  byId('document').scrollTop = 0;
  if (opened) scrollToTurn(opened);
}

// Below the head that stays; of a long turn, the marked words are in view.
function scrollToTurn(turn) {
  const scroller = byId('document');
  const below = (element) => element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += below(turn) - scroller.querySelector('.document-head').offsetHeight - 12;
  const mark = turn.querySelector('mark');
  if (mark && below(mark) > scroller.clientHeight * 0.8) scroller.scrollTop += below(mark) - scroller.clientHeight / 3;
}

function showTurnRange() {
  const { session } = pane;
  const { total_turns: total } = session.page;
  const turns = byId('turns').children;
  byId('more-above').hidden = session.first <= 0;
  byId('more-below').hidden = session.next >= total;
  const of = `of ${count(total)}${session.role ? ` by ${session.role}` : ''}`;
  byId('turn-status').textContent = turns.length === 0 ? 'No turns'
    : `${count(session.first + 1)} to ${count(session.next)} ${of}`;
}

// What is known of a session, above its turns.
function showSessionCard(meta, { files, resume }) {
  const fact = (text) => showText(el('span', { class: 'fact' }), text);
  const row = (name, ...children) => children.length > 0 && el('div', {}, el('dt', {}, name), el('dd', {}, ...children));
  const told = (name) => row(name, ...(textIn(meta[name]) ? [fact(textIn(meta[name]))] : []));
  const number = (name, what) => (Number.isInteger(meta[name]) ? `${count(meta[name])} ${what}` : '');
  const times = [...new Set([textIn(meta.started_at), textIn(meta.captured_at)].filter(Boolean))];
  const copyResume = el('button', { class: 'quiet', type: 'button' }, 'Copy');
  copyResume.addEventListener('click', () => copy(resume, 'Command'));
  const parent = textIn(meta.parent); // a session of the same agent
  const folder = pane.session.path.slice(0, pane.session.path.lastIndexOf('/') + 1);
  const commits = textsIn(meta.commits);
  const grades = textsIn(meta.commit_grades); // how it is known that the session led to each
  byId('session-card').replaceChildren(
    showText(el('h3', { id: 'session-title' }), textIn(meta.title) || textIn(meta.id) || 'Session'),
    el('dl', {}, ...[
      told('agent'), told('model'), meta.actor === 'agent' && row('actor', fact('without a person')),
      parent && row('parent', showText(opens(el('a', { class: 'link' }), folder + parent), parent)),
      told('author'), told('branch'),
      row(commits.length === 1 ? 'commit' : 'commits', ...commits.map((commit, i) => fact(`${commit.slice(0, 12)} ${grades[i] ?? ''}`.trim()))),
      row('time', ...times.map((at) => el('span', { class: 'fact' }, timeElement(at)))),
      row('turns', ...[number('turns', 'turns'), number('tool_calls', 'uses of tools')].filter(Boolean).map(fact)),
      told('cwd'),
      resume && row('go on', showText(el('code'), resume), copyResume),
    ].filter(Boolean)),
    foldedFiles(textsIn(files)));
}

const foldedFiles = (paths) => (paths.length === 0 ? ''
  : el('details', {}, el('summary', {}, `${count(paths.length)} ${paths.length === 1 ? 'file' : 'files'}`),
    el('ul', {}, ...paths.map((path) => showText(el('li'), path)))));

function turnElements({ turns, tool_calls: calls }) {
  return turns.map((turn) => turnElement(turn, calls.filter((call) => call.turn === turn.ordinal)));
}

function turnElement({ ordinal, role, at, text }, calls) {
  const { path, opened, role: only } = pane.session;
  const id = `turn-${ordinal}`;
  const isOpened = ordinal === opened;
  const link = opens(el('a', { class: 'turn-number', title: 'Link to this turn' }, `turn ${ordinal}`), path,
    { turn: String(ordinal), role: only });
  return el('article', {
    class: `turn ${role}`, id, tabindex: '-1', 'aria-labelledby': `${id}-head`, 'aria-current': isOpened && 'true',
  }, el('header', { class: 'turn-head' },
    el('h3', { id: `${id}-head` }, el('span', { class: 'role' }, role), ' ', link),
    isOpened && el('span', { class: 'chip type' }, 'opened'), timeElement(at)),
  turnText(text.replace(/\r\n/g, '\n'), isOpened), toolsElement(calls));
}

// The text of a turn, a part at a time if it is long. Code stands out; nothing else of Markdown is interpreted.
function turnText(text, isOpened) {
  const place = el('div', { class: 'turn-text' });
  const blocks = blocksOf(text);
  const marks = isOpened ? marksInTurn(text) : [];
  const add = (from, wanted) => {
    const to = wholeCharacters(text, wanted);
    for (const block of blocks) {
      const [start, end] = [Math.max(block.start, from), Math.min(block.end, to)];
      if (start >= end) continue;
      const ranges = marks.filter((mark) => mark.end > start && mark.start < end)
        .map((mark) => ({ start: Math.max(mark.start - start, 0), end: Math.min(mark.end, end) - start }));
      place.append(showRanges(el(block.code ? 'pre' : 'div', {}), text.slice(start, end), ranges));
    }
    if (to >= text.length) return;
    const more = el('button', { class: 'more', type: 'button' }, `${count(text.length - to)} more characters`);
    more.addEventListener('click', () => {
      more.remove();
      add(to, to + 10 * TURN_LENGTH);
    });
    place.append(more);
  };
  add(0, Math.max(TURN_LENGTH, (marks.at(-1)?.end ?? 0) + TURN_LENGTH / 10));
  return place;
}

// The end of a part of a text that is not within a character.
const wholeCharacters = (text, at) => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : Math.min(at, text.length));

// Fenced code and what is between, as parts of a text.
function blocksOf(text) {
  const blocks = [];
  let [start, fence] = [0, ''];
  for (const { 0: line, 1: mark, 2: rest, index } of text.matchAll(/^ {0,3}(`{3,}|~{3,})(.*)$/gm)) {
    if (fence === '') {
      blocks.push({ code: false, start, end: index });
      [start, fence] = [index, mark];
    } else if (mark.startsWith(fence) && rest.trim() === '') {
      const end = Math.min(index + line.length + 1, text.length);
      blocks.push({ code: true, start, end });
      [start, fence] = [end, ''];
    }
  }
  return [...blocks, { code: fence !== '', start, end: text.length }];
}

// The parts of a turn that are marked in the hit that it was opened from.
function marksInTurn(text) {
  for (const { doc, snippet } of search.hits) {
    if (!snippet || docTarget(doc.path, snippet.start_line, snippet.end_line) !== state.doc) continue;
    const at = text.indexOf(snippet.text.trimEnd().replace(/\r\n/g, '\n'));
    return at < 0 ? [] : inCharacters(snippet.text, snippet.highlights).map(({ start, end }) => ({ start: at + start, end: at + end }));
  }
  return [];
}

// A line that says which tools were used; below it, when it is opened, each use.
function toolsElement(calls) {
  if (calls.length === 0) return null;
  const uses = new Map();
  for (const { tool } of calls) uses.set(tool, (uses.get(tool) ?? 0) + 1);
  const names = [...uses].map(([tool, times]) => (times > 1 ? `${tool} ×${times}` : tool));
  const said = `${count(calls.length)} ${calls.length === 1 ? 'use of a tool' : 'uses of tools'}: ${shorten(names.join(', '), 80)}`;
  const details = el('details', { class: 'tools' }, showText(el('summary'), said));
  details.addEventListener('toggle', () => {
    const left = calls.length - MOST_CALLS;
    details.append(el('ul', {}, ...calls.slice(0, MOST_CALLS).map(callElement)),
      left > 0 ? el('p', { class: 'note' }, `and ${count(left)} more`) : '');
  }, { once: true });
  return details;
}

const callElement = ({ tool, path, command }) => el('li', {}, showText(el('strong'), tool),
  path && showText(el('span', { class: 'path' }), path), command && showText(el('code'), `$ ${command}`));

async function moreTurns(below) {
  const { session } = pane;
  const offset = below ? session.next : Math.max(0, session.first - session.step);
  try {
    const page = await pane.newest((signal) => readTurns(session, offset, signal));
    if (page.doc.id !== session.page.doc.id) return showDocument(true); // it was changed meanwhile
    addTurns(below ? page : { ...page, turns: page.turns.slice(0, session.first - offset) }, below);
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('document-problem'), error);
  }
}

// What was read stays where it was; at the other end turns are left out again.
function addTurns(page, below) {
  const { session } = pane;
  const place = byId('turns');
  const kept = below ? place.lastChild : place.firstChild;
  const before = kept?.getBoundingClientRect().top;
  place[below ? 'append' : 'prepend'](...turnElements(page));
  if (below) session.next += page.turns.length;
  else session.first -= page.turns.length;
  for (; place.children.length > MOST_TURNS; below ? ++session.first : --session.next) {
    (below ? place.firstChild : place.lastChild).remove();
  }
  showTurnRange();
  if (kept) byId('document').scrollTop += kept.getBoundingClientRect().top - before;
}

async function moveTurn(step) {
  if (!pane.session || byId('document').hidden) return;
  const place = byId('turns');
  const current = document.activeElement.closest('.turn') ?? place.querySelector('[aria-current]');
  const next = () => (current ? (step > 0 ? current.nextSibling : current.previousSibling) : place.firstChild);
  if (!next() && !byId(step > 0 ? 'more-below' : 'more-above').hidden) await moreTurns(step > 0);
  const turn = next();
  if (!turn) return;
  turn.focus({ preventScroll: true });
  scrollToTurn(turn);
}


function showCard() {
  const place = byId('note-card');
  place.hidden = !pane.card;
  if (place.hidden) return;
  const { title, summary, triggers, topics, scope, times } = pane.card;
  const row = (name, ...children) => children.length > 0 && el('div', {}, el('dt', {}, name), el('dd', {}, ...children));
  const fact = (text) => showText(el('span', { class: 'fact' }), text);
  place.replaceChildren(
    showText(el('h3'), title),
    el('p', { class: 'chips' }, ...chipsOf(pane.card, pane.lifecycle)),
    summary && showText(el('p'), summary),
    el('dl', {}, ...[
      row('when', ...triggers.map(fact)), row('topics', ...topics.map(fact)), scope && row('scope', fact(scope)),
      ...times.map(([name, day]) => row(name, fact(day)))].filter(Boolean)));
}

const MOST_NODES = 50;
const links = { newest: newestOnly(), path: '', depth: 1, answer: null };

async function showLinks(path, depth = links.depth) {
  if (path !== links.path) {
    byId('links').hidden = true;
    pane.lifecycle = undefined;
  }
  Object.assign(links, { path, depth });
  try {
    const answer = await links.newest((signal) => run('links', { target: path, depth }, signal));
    links.answer = answer.links;
    drawLinks();
  } catch (error) {
    if (isAbort(error)) return;
    links.path = '';
    byId('links').hidden = true; // what is wrong with the document is said where its text would be
  }
}

function drawLinks() {
  const { documents, links: all } = links.answer;
  pane.lifecycle = documents[0].lifecycle ?? undefined;
  showCard();
  const leaving = all.filter(({ source }) => source === documents[0].path);
  const own = [...leaving, ...all.filter(({ target }) => target === documents[0].path)];
  const out = leaving.length;
  const place = byId('links');
  place.hidden = own.length === 0;
  if (place.dataset.path !== links.path) place.open = pane.card !== null || documents.some(({ type }) => type);
  place.dataset.path = links.path;
  byId('links-title').textContent = `Links: ${out} out, ${own.length - out} in`;
  for (const button of document.querySelectorAll('.distance')) {
    button.setAttribute('aria-pressed', String(Number(button.dataset.depth) === links.depth));
  }
  byId('graph').replaceChildren(...(own.length > 0 ? graphOf(documents, all) : []));
  const byPath = new Map(documents.map((one) => [one.path, one]));
  byId('link-list').replaceChildren(...own.map((link) => linkElement(link, byPath, documents[0].path)));
}

const nameOf = ({ title, path }) => title || path;

function linkElement({ source, target, relation, weight, reason }, byPath, self) {
  const out = source === self;
  const other = byPath.get(out ? target : source);
  const name = showText(other.missing ? el('span', { class: 'missing' }) : opens(el('a', { class: 'link' }), other.path), nameOf(other));
  name.title = other.path;
  return el('li', {},
    el('span', { class: 'arrow', 'aria-hidden': 'true' }, out ? '→' : '←'),
    showText(el('span', { class: 'relation' }), relation),
    name,
    el('span', { class: 'chips' }, ...chipsOf({ type: other.type ?? '', status: '', tags: [] }, other.lifecycle),
      weight !== 1 && el('span', { class: 'note' }, weight.toFixed(2)), other.missing && chip('missing', 'late')),
    el('span', { class: 'sr-only' }, out ? 'link to it' : 'links here'),
    reason && showText(el('p', { class: 'note reason' }), reason));
}

// The graph around the first document. What links to it is on its left, what it links to on its right, on arcs by
// distance; further documents are on the side of the first one that leads to them. Rows are apart by the height of a
// label, so labels do not overlap. The order is that of the paths, so the same links are the same picture.
function graphOf(documents, all) {
  const drawn = documents.slice(0, MOST_NODES);
  const nodes = new Map(drawn.map((one) => [one.path, { ...one, side: 0 }]));
  const known = all.filter(({ source, target }) => nodes.has(source) && nodes.has(target));
  placeSides(drawn.map(({ path }) => nodes.get(path)), known, nodes);
  const { width, height } = placeNodes([...nodes.values()]);
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${height}`, width, height, role: 'group',
    'aria-label': `The links around ${nameOf(documents[0])}: ${known.length} links among ${drawn.length} documents. The list below has the same.`,
  }, arrowHead());
  nodes.forEach((node) => labelNode(node, known, documents[0].path));
  for (const link of known) picture.append(edgeElement(nodes.get(link.source), nodes.get(link.target), link));
  nodes.forEach((node) => picture.append(nodeElement(node)));
  const left = documents.length - drawn.length;
  return [picture, left > 0 && el('p', { class: 'note' }, `${count(left)} more documents are not drawn.`)].filter(Boolean);
}

function placeSides(ordered, known, nodes) {
  for (const node of ordered) {
    if (node.depth === 0) continue;
    const near = known.filter(({ source, target }) => source === node.path || target === node.path)
      .map(({ source, target }) => (source === node.path ? { other: nodes.get(target), side: -1 } : { other: nodes.get(source), side: 1 }))
      .filter(({ other }) => other.depth === node.depth - 1);
    // One that is linked in both directions is on the right.
    const first = near.find(({ side }) => side === 1) ?? near[0];
    node.parent = first?.other;
    node.side = node.depth === 1 ? (first?.side ?? 1) : (node.parent?.side ?? 1);
  }
}

const ROW = 27;
const LETTER = 6.7; // the width of a letter of a label, about

function placeNodes(nodes) {
  const rowsOf = (side, depth) => nodes.filter((node) => node.side === side && node.depth === depth)
    .sort((a, b) => (a.parent?.y ?? 0) - (b.parent?.y ?? 0)); // stable: by path below one parent
  const sides = [-1, 1].map((side) => ({ side, depths: [1, 2].filter((depth) => rowsOf(side, depth).length > 0) }));
  const most = Math.max(2, ...sides.flatMap(({ side, depths }) => depths.map((depth) => rowsOf(side, depth).length)));
  const height = (most + 1) * ROW + 20;
  const arc = sides.some(({ depths }) => depths.length > 1) ? 230 : 285; // from one distance to the next
  const reach = ({ depths }) => (depths.length === 0 ? 90 : arc * depths.length + 20);
  const width = Math.max(reach(sides[0]) + reach(sides[1]) + 40, 420);
  const x = (width + reach(sides[0]) - reach(sides[1])) / 2;
  for (const node of nodes) if (node.depth === 0) Object.assign(node, { x, y: height / 2 });
  for (const { side, depths } of sides) {
    for (const depth of depths) {
      const rows = rowsOf(side, depth);
      rows.forEach((node, i) => {
        const y = (i - (rows.length - 1) / 2) * ROW;
        const bend = 1 - 0.35 * (y / (height / 2)) ** 2; // an arc
        node.room = Math.floor((arc - 70) / LETTER);
        Object.assign(node, { x: x + side * (arc * (depth - 1) + 70 * bend), y: height / 2 + y });
      });
    }
  }
  return { width, height };
}

// Sets the label of a node: how it is linked to the first one, and its name. `related`, what most links are, needs
// no words.
function labelNode(node, known, self) {
  const relations = known.filter(({ source, target, relation }) => relation !== 'related'
    && ((source === self && target === node.path) || (target === self && source === node.path))).map(({ relation }) => relation);
  node.relation = node.depth === 1 ? shorten([...new Set(relations)].join(', '), 14) : '';
  node.name = node.depth === 0 ? '' : shorten(nameOf(node), node.room - node.relation.length);
  node.width = (node.relation.length + node.name.length + 1) * LETTER;
}

function arrowHead() {
  return svg('defs', {}, svg('marker', {
    id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse',
  }, svg('path', { d: 'M1,1 L7,4 L1,7', class: 'arrow-head' })));
}

// A curve that leaves and arrives horizontally where the distances differ, and bulges where they do not. Outwards it
// begins behind the label.
function edgeElement(from, to, { relation, weight }) {
  const outermost = Math.max(from.depth, to.depth);
  const gap = (node) => (node.depth === 0 ? 12 : node.depth < outermost ? 14 + node.width : 9);
  const way = Math.sign(to.x - from.x) || 1;
  const same = from.depth === to.depth;
  const [x1, x2] = same ? [from.x - from.side * gap(from), to.x - to.side * gap(to)] : [from.x + way * gap(from), to.x - way * gap(to)];
  const bend = same ? -from.side * 34 : way * Math.max(24, Math.abs(x2 - x1) / 2);
  const path = `M${round(x1)},${round(from.y)} C${round(x1 + bend)},${round(from.y)} ${round(x2 + (same ? bend : -bend))},${round(to.y)} ${round(x2)},${round(to.y)}`;
  const edge = svg('path', { class: 'edge', d: path, 'marker-end': 'url(#arrow)' },
    showText(svg('title'), `${nameOf(from)} ${relation} ${nameOf(to)}${weight === 1 ? '' : ` (${weight.toFixed(2)})`}`));
  return edge;
}

const round = (number) => Math.round(number * 10) / 10;
const shorten = (text, most) => ([...text].length <= most ? text : `${[...text].slice(0, most - 1).join('')}…`);

function nodeElement(node) {
  const center = node.depth === 0;
  const kind = ['node', center && 'center', node.missing && 'missing', (node.obsolete || node.lifecycle === 'expired') && 'past']
    .filter(Boolean).join(' ');
  const text = svg('text', { x: round(node.x + node.side * 12), y: round(node.y + 4), 'text-anchor': node.side < 0 ? 'end' : 'start' });
  if (node.relation) text.append(showText(svg('tspan', { class: 'relation' }), node.relation), ' ');
  text.append(showText(svg('tspan'), node.name));
  const parts = [
    svg('circle', { cx: round(node.x), cy: round(node.y), r: center ? 8 : 5 }), !center && text,
    showText(svg('title'), node.title ? `${node.title} (${node.path})` : node.path)];
  if (node.missing || center) return svg('g', { class: kind }, ...parts);
  return opens(svg('a', { class: kind }, ...parts), node.path);
}

// Reviews ---------------------------------------------------------------------------------------

const MOST_DUE = 100;
const reviews = { newest: newestOnly(), asked: null, writes: false, due: [], total: 0, shown: false, done: 0 };

async function showReviews(anew) {
  if (reviews.asked === state.store && !anew) return;
  reviews.asked = state.store;
  try {
    const [answer, server] = await reviews.newest((signal) => Promise.all([
      run('review', { list: true, limit: MOST_DUE }, signal), ask('/v1/stores', { signal }).then((response) => response.json())]));
    Object.assign(reviews, { due: answer.review.due, total: answer.review.total, writes: server.allow_write === true, shown: false });
    showProblem(byId('reviews-problem'), null);
    drawReview();
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) reviews.asked = null;
    showProblem(byId('reviews-problem'), error);
  }
}

// The first document that is due, if one may rate it, and below it the list of all.
function drawReview() {
  const [first] = reviews.due;
  const done = reviews.done > 0 ? `, ${count(reviews.done)} reviewed` : '';
  byId('reviews-status').textContent = !first ? `Nothing is due${done}`
    : `${count(reviews.total)} due${done}${reviews.writes ? '' : '. This server only reads; start it with --allow-write to rate.'}`;
  byId('review').hidden = !first || !reviews.writes;
  byId('due').replaceChildren(...reviews.due.slice(reviews.writes ? 1 : 0).map(dueElement));
  if (byId('review').hidden) return;
  byId('review-facts').textContent = `${first.overdue_days > 0 ? `due for ${count(first.overdue_days)} days` : 'due today'} · ${
    first.reviews === 0 ? 'never reviewed' : `reviewed ${count(first.reviews)} times`}`;
  byId('review-title').replaceChildren();
  showText(byId('review-title'), nameOf(first));
  byId('review-show').hidden = reviews.shown;
  byId('review-text').hidden = byId('ratings').hidden = !reviews.shown;
}

function dueElement(due) {
  const link = showText(opens(el('a', { class: 'link' }), due.path), nameOf(due));
  return el('li', {}, el('time', {}, due.due?.slice(0, 10) ?? ''), link, showText(el('span', { class: 'note' }), due.path));
}

async function showReviewText() {
  const [first] = reviews.due;
  if (!first || !reviews.writes || reviews.shown) return;
  try {
    const { get } = await reviews.newest((signal) => run('get', { target: first.path }, signal));
    byId('review-text').replaceChildren();
    showText(byId('review-text'), withoutCard(get.chunk.text));
    reviews.shown = true;
    showProblem(byId('reviews-problem'), null);
    drawReview();
    byId('ratings').querySelector('button').focus();
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('reviews-problem'), error);
  }
}

async function rate(quality) {
  const [first] = reviews.due;
  if (!first || !reviews.shown || reviews.rating) return;
  reviews.rating = true; // a second press must not rate twice
  try {
    const { review } = await run('review', { target: first.path, rate: quality });
    toast(`Next in ${count(review.interval_days)} ${review.interval_days === 1 ? 'day' : 'days'}`);
    reviews.done += 1;
    reviews.total -= 1;
    showProblem(byId('reviews-problem'), null);
    nextReview();
  } catch (error) {
    showProblem(byId('reviews-problem'), error);
  } finally {
    reviews.rating = false;
  }
}

// What is skipped stays due, and comes again when reviews are shown anew.
function nextReview() {
  reviews.due = reviews.due.slice(1);
  reviews.shown = false;
  if (reviews.due.length === 0 && reviews.total > 0 && reviews.done > 0) return showReviews(true);
  drawReview();
  if (reviews.due.length > 0) byId('review-show').focus();
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
  const turn = path.startsWith('sessions/') ? turnOf(heading) : null;
  return el('li', { class: 'piece' },
    el('div', { class: 'hit-head' }, citeLink(path, first, last, turn?.number)),
    turn ? el('p', { class: 'heading' }, `${turn.role} `, timeElement(turn.at))
      : heading && showText(el('p', { class: 'heading' }), heading),
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
  const { stores } = await response.json();
  const names = stores.map(({ name }) => name);
  viewsOf = new Map(stores.map(({ name, views }) => [name, views ?? []]));
  showViews();
  byId('stores').hidden = names.length < 2;
  byId('store').replaceChildren(...names.map((name) => el('option', { value: name }, name)));
  byId('store').value = state.store || names[0];
}

// The views of the store that is asked. One in the address that the store does not have stays, and is an error.
let viewsOf = new Map();

function showViews() {
  const names = viewsOf.get(state.store) ?? viewsOf.values().next().value ?? [];
  const all = state.view && !names.includes(state.view) ? [...names, state.view] : names;
  byId('view').replaceChildren(el('option', { value: '' }, 'none'), ...all.map((name) => showText(el('option', { value: name }), name)));
  byId('view').value = state.view;
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
  document.body.classList.toggle('on-reviews', state.tab === 'reviews');
  setValue(byId('query'), state.q);
  setValue(byId('filter'), state.filter);
  setValue(byId('budget'), String(state.budget));
  setValue(byId('budget-number'), String(state.budget));
  byId('notes').checked = state.notes !== '';
  showViews();
  const stores = byId('store');
  stores.value = state.store || stores.options[0]?.value;
  document.title = state.q.trim() ? `${state.q.trim()} – Recall` : 'Recall';
  if (state.tab === 'search') showSearch(anew);
  if (state.tab === 'context') showContext(anew);
  if (state.tab === 'reviews') showReviews(anew);
  else reviews.asked = null; // what is due is looked up each time
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
  byId('store').addEventListener('change', () => go({ ...NO_DOC, store: byId('store').value }));
  byId('turn-role').addEventListener('change', () => go({ role: byId('turn-role').value }));
  byId('turn-choice').addEventListener('submit', (event) => {
    event.preventDefault();
    const { path } = parseTarget(state.doc);
    go({ doc: path, turn: String(Number(byId('turn-number').value)) });
  });
  byId('view').addEventListener('change', () => go({ view: byId('view').value }));
  byId('notes').addEventListener('change', () => go({ notes: byId('notes').checked ? '1' : '' }));
  for (const button of document.querySelectorAll('.distance')) {
    button.addEventListener('click', () => showLinks(links.path, Number(button.dataset.depth)));
  }
  byId('review-show').addEventListener('click', showReviewText);
  byId('review-skip').addEventListener('click', nextReview);
  for (const button of document.querySelectorAll('[data-rate]')) {
    button.addEventListener('click', () => rate(Number(button.dataset.rate)));
  }
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
  if (['store', 'reviews'].includes(state.tab)) go({ tab: 'search' });
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
  '[': () => moveTurn(-1),
  ']': () => moveTurn(1),
  '?': () => byId('help').showModal(),
  1: () => go({ tab: 'search' }),
  2: () => go({ tab: 'context' }),
  3: () => go({ tab: 'reviews' }),
  4: () => go({ tab: 'store' }),
};

// In reviews a figure rates, once the text is shown.
function reviewKey(key) {
  if (state.tab !== 'reviews' || state.doc || byId('review').hidden) return null;
  if (key === 's') return nextReview;
  return reviews.shown && /^[0-5]$/.test(key) ? () => rate(Number(key)) : null;
}

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
  if (arrow && (target.closest('.document') || ['store', 'reviews'].includes(state.tab))) return null; // they scroll
  return reviewKey(key) ?? KEYS[key];
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
if (state.doc === '' && !['store', 'reviews'].includes(state.tab)) byId('query').focus();
