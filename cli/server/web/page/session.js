// A session in the document view: its card, and its conversation turn by turn.

import { opens } from './citation.js';
import { byId, copy, el, setValue } from './elements.js';
import { count } from './format.js';
import { pane } from './pane.js';
import { isAbort, showProblem } from './problems.js';
import { textIn, textsIn, timeElement } from './session_facts.js';
import { readTurns } from './session_pages.js';
import { fact, factRow, showText } from './text.js';
import { turnElement } from './turn.js';

const MOST_TURNS = 300; // turns in the page; beyond that those at the other end are removed

// Shows the turns that were read, and scrolls to the opened one.
export function showConversation(doc) {
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

// Scrolls so that a turn is below the head, which stays. If its first mark would be far below, the mark
// is scrolled into view instead.
function scrollToTurn(turn) {
  const scroller = byId('document');
  const below = (element) => element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += below(turn) - scroller.querySelector('.document-head').offsetHeight - 12;
  const mark = turn.querySelector('mark');
  if (mark && below(mark) > scroller.clientHeight * 0.8) scroller.scrollTop += below(mark) - scroller.clientHeight / 3;
}

// Says which turns are shown, and of how many.
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

// Shows what is known about a session, above its turns. `resume` is the command that goes on with it.
function showSessionCard(meta, { files, resume }) {
  const copyResume = el('button', { class: 'quiet', type: 'button' }, 'Copy');
  copyResume.addEventListener('click', () => copy(resume, 'Command'));
  byId('session-card').replaceChildren(
    showText(el('h3', { id: 'session-title' }), textIn(meta.title) || textIn(meta.id) || 'Session'),
    el('dl', {}, ...sessionRows(meta), resume ? factRow('go on', showText(el('code'), resume), copyResume) : ''),
    foldedFiles(textsIn(files)));
}

function sessionRows(meta) {
  const told = (name) => factRow(name, ...(textIn(meta[name]) ? [fact(textIn(meta[name]))] : []));
  const number = (name, what) => (Number.isInteger(meta[name]) ? `${count(meta[name])} ${what}` : '');
  const times = [...new Set([textIn(meta.started_at), textIn(meta.captured_at)].filter(Boolean))];
  const parent = textIn(meta.parent); // the id of a session of the same agent, so it is in the same folder
  const folder = pane.session.path.slice(0, pane.session.path.lastIndexOf('/') + 1);
  const commits = textsIn(meta.commits);
  const grades = textsIn(meta.commit_grades); // for each commit: the evidence that the session led to it
  return [
    told('agent'), told('model'), meta.actor === 'agent' && factRow('actor', fact('without a person')),
    parent && factRow('parent', showText(opens(el('a', { class: 'link' }), folder + parent), parent)),
    told('author'), told('branch'),
    factRow(commits.length === 1 ? 'commit' : 'commits', ...commits.map((commit, i) => fact(`${commit.slice(0, 12)} ${grades[i] ?? ''}`.trim()))),
    factRow('time', ...times.map((at) => el('span', { class: 'fact' }, timeElement(at)))),
    factRow('turns', ...[number('turns', 'turns'), number('tool_calls', 'uses of tools')].filter(Boolean).map(fact)),
    told('cwd'),
  ].filter(Boolean);
}

// The files that a session has touched. Their number is shown; the list is folded.
const foldedFiles = (paths) => (paths.length === 0 ? ''
  : el('details', {}, el('summary', {}, `${count(paths.length)} ${paths.length === 1 ? 'file' : 'files'}`),
    el('ul', {}, ...paths.map((path) => showText(el('li'), path)))));

function turnElements({ turns, tool_calls: calls }) {
  return turns.map((turn) => turnElement(turn, calls.filter((call) => call.turn === turn.ordinal)));
}

// Loads more turns, later or earlier ones. Calls `onChanged` if the session has changed.
export async function moreTurns(below, onChanged) {
  const { session } = pane;
  const offset = below ? session.next : Math.max(0, session.first - session.step);
  try {
    const page = await pane.newest((signal) => readTurns(session, offset, signal));
    if (page.doc.id !== session.page.doc.id) return onChanged();
    addTurns(below ? page : { ...page, turns: page.turns.slice(0, session.first - offset) }, below);
  } catch (error) {
    if (!isAbort(error)) showProblem(byId('document-problem'), error);
  }
}

// Adds a page of turns at one end, and removes turns at the other beyond MOST_TURNS. The turns in view stay
// in place.
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

// Goes to the next (1) or previous (-1) turn, and loads it if needed. `onChanged`: as for moreTurns.
export async function moveTurn(step, onChanged) {
  if (!pane.session || byId('document').hidden) return;
  const place = byId('turns');
  const current = document.activeElement.closest('.turn') ?? place.querySelector('[aria-current]');
  const next = () => (current ? (step > 0 ? current.nextSibling : current.previousSibling) : place.firstChild);
  if (!next() && !byId(step > 0 ? 'more-below' : 'more-above').hidden) await moreTurns(step > 0, onChanged);
  const turn = next();
  if (!turn) return;
  turn.focus({ preventScroll: true });
  scrollToTurn(turn);
}
