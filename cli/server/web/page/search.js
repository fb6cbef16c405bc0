// The view of the search: results; without a query the newest documents of the filter, or the first screen.

import { citeLink, docTarget, markOpenHit, opens, shownLinks } from './citation.js';
import { byId, el } from './elements.js';
import { excerptElement } from './excerpt.js';
import { hideExpansions, isOfExpansion, showExpansions } from './expansions.js';
import { forgetExplanations, toggleExplain } from './explain.js';
import { count, scoreText, shorten } from './format.js';
import { leaveHome, showHome } from './home.js';
import { listDocuments } from './listing.js';
import { withoutFences } from './markdown_blocks.js';
import { cardOf, chipsOf, isOfCard, withoutCard } from './note.js';
import { Gone, isAbort, showAskProblem, showProblem } from './problems.js';
import { isHome, listsSessions, questionOf, searchBody, wholeFilter } from './question.js';
import { newestOnly, run } from './server.js';
import { isSession, sessionLine, timeElement, turnOf } from './session_facts.js';
import { state } from './state.js';
import { showText } from './text.js';

const HITS = 15; // results to load at a time
const SNIPPET_BYTES = 360;
const ANSWER_LETTERS = 160;
const NO_RESULTS = 'no results: '; // how the server begins a warning

const search = {
  newest: newestOnly(),
  asked: null, // the question whose results are shown or being loaded
  hits: [],
  next: undefined, // offset of the next results; undefined if there are no more
};

// Asks for results, or for sessions if they are listed.
function findHits(more, signal) {
  if (!listsSessions()) return run('search', searchBody({ k: HITS, snippet: SNIPPET_BYTES, ...more }), signal);
  const filter = wholeFilter();
  return run('sessions', { limit: HITS, payload: 'full', ...(filter ? { filter } : {}), ...more }, signal);
}

// Shows the results of the state. With `anew` the server is asked even if they are shown already.
export async function showSearch(anew) {
  const question = questionOf(state);
  if (question === search.asked && !anew) return markOpenHit();
  search.asked = question;
  forgetExplanations();
  const none = state.q.trim() === '' && !listsSessions();
  const home = none && isHome();
  byId('intro').hidden = !home;
  if (!home) leaveHome();
  if (none && !home) return listAll();
  if (home) {
    showHome(anew);
    return cancelSearch();
  }
  byId('hits').classList.add('stale');
  byId('hits').setAttribute('aria-busy', 'true');
  try {
    showHits(await search.newest((signal) => findHits({}, signal)));
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) search.asked = null;
    else byId('status').textContent = '';
    byId('more-hits').hidden = true;
    showAskProblem(byId('search-problem'), error);
  }
}

// Aborts the search that is running, and shows no results.
function cancelSearch() {
  search.newest(async () => {}).catch(() => {});
  clearHits();
  byId('status').textContent = '';
  showAskProblem(byId('search-problem'), null);
}

// Replaces the results. If one of them has the focus, the first new one gets it.
function showHits(answer) {
  showAskProblem(byId('search-problem'), null);
  const focused = byId('hits').contains(document.activeElement);
  clearHits();
  addHits(answer);
  if (focused) shownLinks()[0]?.focus();
}

// Lists the newest documents of the filter: without a query there is no ranking.
async function listAll() {
  byId('hits').classList.add('stale');
  try {
    const { elements, said } = await search.newest(listDocuments);
    showAskProblem(byId('search-problem'), null);
    clearHits();
    byId('hits').append(...elements);
    byId('status').textContent = said;
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
  hideExpansions();
}

function addHits(answer) {
  search.hits = search.hits.concat(answer.results);
  search.next = answer.next_offset;
  byId('hits').append(...answer.results.map(hitElement));
  byId('more-hits').hidden = search.next === undefined;
  byId('status').textContent = totalText(answer, search.hits.length);
  showExpansions(answer.query?.expansions ?? []);
  for (const warning of warningsOf(answer)) byId('status').append(el('span', { class: 'note' }, ` · ${warning}`));
  markOpenHit();
}

// The warnings that nothing else says.
const warningsOf = ({ warnings = [], results }) =>
  warnings.filter((one) => !isOfExpansion(one) && !(results.length === 0 && one.startsWith(NO_RESULTS)));

// "15 of at least 1,000 results"
function totalText({ stats: { total_hits: total, total_hits_is_lower_bound: atLeast }, warnings = [] }, shown) {
  const sessions = listsSessions();
  const why = warnings.find((one) => one.startsWith(NO_RESULTS))?.slice(NO_RESULTS.length);
  if (total === 0) return (sessions ? 'No sessions' : 'Nothing found') + (why ? `: ${why}` : '');
  const what = sessions ? 'session' : 'result';
  return `${shown} of ${atLeast ? 'at least ' : ''}${count(total)} ${what}${total === 1 ? '' : 's'}${
    sessions ? ', the latest first' : ''}`;
}

export async function moreHits() {
  try {
    addHits(await search.newest((signal) => findHits({ offset: search.next }, signal)));
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('search-problem'), error);
  }
}

// Further places of a file of code, the best as links.
function morePlaces(path, count, best) {
  const links = best.flatMap(({ start_line, end_line }, i) => [i ? ', ' : '',
    opens(el('a', { class: 'cite' }, `${start_line}–${end_line}`), docTarget(path, start_line, end_line))]);
  return [`and ${count} more ${count === 1 ? 'place' : 'places'}: `, ...links, count > best.length ? ', …' : ''];
}

function hitElement({ score, doc, chunk, snippet, answer, identical, more_places, best_places }) {
  const why = !listsSessions() && el('button', { class: 'why', 'aria-expanded': 'false', title: 'Why this rank (e)' }, 'why?');
  const card = cardOf(doc);
  const turn = isSession(doc) ? turnOf(chunk.heading) : null;
  const hit = el('li', { class: 'hit' },
    isSession(doc) && sessionLine(doc.meta ?? {}),
    el('div', { class: 'hit-head' },
      citeLink(doc.path, snippet?.start_line ?? chunk.start_line, snippet?.end_line ?? chunk.end_line, turn?.number),
      why, why && el('span', { class: 'score', title: 'score' }, scoreText(score))),
    card && el('p', { class: 'hit-note' }, showText(el('strong'), card.title), ...chipsOf(card)),
    card?.summary && showText(el('p', { class: 'heading' }), card.summary),
    turn ? el('p', { class: 'heading' }, `${turn.role} `, timeElement(turn.at))
      : chunk.heading && showText(el('p', { class: 'heading' }), chunk.heading),
    snippet && (card && isOfCard(chunk, snippet) ? showText(el('p', { class: 'snippet' }), shorten(withoutCard(chunk.text), SNIPPET_BYTES))
      : excerptElement(snippet, doc)),
    answer && showText(el('p', { class: 'same answered' }), `answered: ${shorten(withoutFences(answer.text), ANSWER_LETTERS)}`),
    identical && el('p', { class: 'same' }, `and ${identical} more with the same text`),
    more_places && el('p', { class: 'same' }, ...morePlaces(doc.path, more_places, best_places)));
  hit.dataset.chunk = chunk.id;
  if (why) why.addEventListener('click', () => explainHit(hit));
  return hit;
}

// Shows or hides why a result has its rank.
export const explainHit = (hit) => toggleExplain(hit, search.hits.length);

// The result that the document `target` was opened from, if it is still in the list.
export const openedHit = (target) => search.hits.find(({ doc, snippet }) =>
  snippet && docTarget(doc.path, snippet.start_line, snippet.end_line) === target);
