// The document view: lines around a citation, or the turns of a session.

import { citation, docTarget, parseTarget } from './citation.js';
import { beginCode, colourAgain, colourView } from './code.js';
import { byId, copy } from './elements.js';
import { bytes } from './format.js';
import { citeAnew, lineElements, scrollToLine } from './lines.js';
import { showLinks } from './links.js';
import { cardOf } from './note.js';
import { LINES_AROUND, pane, showCard } from './pane.js';
import { showCurrent, showHeadings, showOutline } from './outline.js';
import { Gone, isAbort, Problem, showProblem } from './problems.js';
import { headingsShown, hideRendered, isMarkdown, isRendered, readWhole, scrollToCited, showRendered } from './rendered.js';
import { openedHit } from './search.js';
import { run } from './server.js';
import { moreTurns, showConversation } from './session.js';
import { isSession } from './session_facts.js';
import { openSession } from './session_pages.js';
import { go, NO_DOC, state } from './state.js';

const LINES_MORE = 120; // lines to load at a time
const LINES_MOST = 1000; // of a long citation, the first ones

// Shows the document of the state. With `anew` the server is asked even if it is shown already.
export async function showDocument(anew) {
  document.body.classList.toggle('has-document', state.doc !== '' && state.tab !== 'store');
  byId('document').hidden = state.doc === '' || state.tab === 'store';
  if (state.doc === '') {
    pane.target = null;
    return;
  }
  const { turn, role, as } = state;
  const same = pane.target === state.doc && pane.store === state.store;
  if (same && pane.turn === turn && pane.role === role && pane.as === as && !anew) return;
  const { path, first, last } = parseTarget(state.doc);
  const isInPlace = !anew && hasLines(path, first, last) && pane.store === state.store && pane.as === as;
  Object.assign(pane, { target: state.doc, turn, role, as, store: state.store });
  byId('document-title').replaceChildren(...citation(path, first, last, turn));
  if (isInPlace) return citeInPlace();
  pane.path = '';
  showLinks(path);
  try {
    const [passage, cited, session, whole] = await pane.newest(async (signal) => {
      const citing = run('get', { target: state.doc, fields: 'cite' }, signal);
      // If both fail, the error names the lines that were cited, not those around them.
      const reading = passageOf(signal).catch((error) => citing.then(() => { throw error; }));
      const [got, cite] = await Promise.all([reading, citing]);
      return [got, cite.get.cite, isSession(got.doc) ? await openSession(got, signal) : null,
        isRendered(got.doc) ? await readWhole(got, signal) : null];
    });
    Object.assign(pane, { citation: cited, session, rendered: whole !== null });
    drawDocument(passage, last, whole);
  } catch (error) {
    if (isAbort(error)) return;
    if (error instanceof Gone) pane.target = null;
    hideDocument();
    showProblem(byId('document-problem'), error);
  }
}

// Whether lines are shown already, without the marks of another result.
const hasLines = (path, first, last) => pane.path === path && state.turn === '' && last > 0
  && pane.first <= first && first <= pane.last && !openedHit(state.doc);

// Cites other lines of those that are shown. They are not loaded again unless the document has changed.
async function citeInPlace() {
  if (pane.rendered) scrollToCited(false);
  else citeAnew();
  showCurrent();
  colourView();
  try {
    const { get } = await pane.newest((signal) => run('get', { target: state.doc, fields: 'cite,doc.hash' }, signal));
    pane.citation = get.cite;
    if (get['doc.hash'] !== pane.hash) reopen();
  } catch (error) {
    if (!isAbort(error)) reopen();
  }
}

// Loads the open document again, because it has changed.
export const reopen = () => showDocument(true);

// `whole` is the text of a document that is rendered, or null.
function drawDocument(passage, last, whole) {
  const { session } = pane;
  showProblem(byId('document-problem'), null);
  byId('copy-citation').hidden = false;
  for (const id of ['session-card', 'turn-choice', 'turns']) byId(id).hidden = !session;
  byId('lines').hidden = session !== null || whole !== null;
  byId('rendered').hidden = whole === null;
  showSwitch(passage.doc);
  byId('more-above').textContent = session ? 'Earlier turns' : 'Lines above';
  byId('more-below').textContent = session ? 'Later turns' : 'Lines below';
  showFacts(passage.doc);
  if (session) {
    beginCode('');
    showOutline('', false);
    hideRendered();
    return showConversation(passage.doc);
  }
  byId('turns').replaceChildren();
  if (whole !== null) return showWhole(passage.doc, whole, last);
  hideRendered();
  showPassage(passage, last);
}

// Offers the choice between the two ways to show Markdown.
function showSwitch(doc) {
  byId('ways').hidden = !isMarkdown(doc);
  for (const button of document.querySelectorAll('[data-as]')) {
    button.setAttribute('aria-pressed', String(button.dataset.as === state.as));
  }
}

// Shows a document of Markdown as it is meant to be read.
function showWhole(doc, text, last) {
  const { path, first } = parseTarget(state.doc);
  beginCode('');
  byId('lines').replaceChildren();
  byId('more-above').hidden = byId('more-below').hidden = true;
  Object.assign(pane, { path, first: 1, last: Infinity });
  showRendered(text, path);
  showHeadings(path, headingsShown());
  scrollToCited(last === 0 || isAtTop(first));
}

// If the cited lines are near the beginning of a note, the document is shown from its card on.
const isAtTop = (first) => pane.card !== null && first < 40;

// Removes what is shown of a document that could not be loaded.
function hideDocument() {
  beginCode('');
  showOutline('', false);
  hideRendered();
  byId('ways').hidden = byId('copy-citation').hidden = true;
  byId('document-facts').textContent = '';
  byId('lines').replaceChildren();
  byId('turns').replaceChildren();
  pane.session = null;
  pane.card = null;
  showCard();
  byId('session-card').hidden = byId('turn-choice').hidden = true;
  byId('more-above').hidden = byId('more-below').hidden = true;
}

// Reads the lines around those of the state. If the state names a turn of a session, its turns are read
// elsewhere, and the first line is enough.
async function passageOf(signal) {
  const { path, first, last } = parseTarget(state.doc);
  if (state.turn !== '') {
    const { get } = await run('get', { target: docTarget(path, 1, 1) }, signal);
    if (isSession(get.doc)) return get;
  }
  const around = docTarget(path, Math.max(1, first - LINES_AROUND), wantedEnd(first, last));
  return (await run('get', { target: around }, signal)).get;
}

// The last line to ask for around a citation.
const wantedEnd = (first, last) => Math.min(last + 2 * LINES_AROUND, first + LINES_MOST);

function showFacts(doc) {
  pane.hash = doc.hash;
  byId('document-facts').textContent = [
    doc.mtime?.slice(0, 19).replace('T', ' '), bytes(doc.size), doc.tag, doc.hash.slice(0, 12),
  ].filter(Boolean).join(' · ');
  pane.card = cardOf(doc);
  showCard();
}

// Shows lines of a document. `last` is the last cited line.
function showPassage({ doc, chunk }, last) {
  const { path, first } = parseTarget(state.doc);
  const isCode = doc.parser === 'code';
  const lines = byId('lines');
  lines.classList.toggle('code', isCode);
  Object.assign(pane, { path, first: chunk.start_line, last: chunk.end_line });
  lines.replaceChildren(...lineElements(chunk));
  byId('more-above').hidden = pane.first <= 1;
  byId('more-below').hidden = pane.last < wantedEnd(first, last);
  const cited = lines.querySelector('.cited');
  const atTop = !cited || (pane.first === 1 && isAtTop(first));
  if (atTop) byId('document').scrollTop = 0;
  else scrollToLine(cited);
  beginCode(path, isCode ? doc : undefined);
  showOutline(path, isCode).then((found) => found && colourAgain());
}

// Loads more lines, or turns of a session, below or above those that are shown.
export async function moreLines(below) {
  if (pane.session) return moreTurns(below, reopen);
  const { path } = parseTarget(pane.target);
  const [first, last] = below ? [pane.last + 1, pane.last + LINES_MORE]
    : [Math.max(1, pane.first - LINES_MORE), pane.first - 1];
  try {
    const { get } = await pane.newest((signal) => run('get', { target: docTarget(path, first, last) }, signal));
    if (get.doc.hash !== pane.hash) return reopen(); // it has changed
    addLines(get.chunk, below, last);
  } catch (error) {
    if (isAbort(error)) return;
    if (below && error instanceof Problem) byId('more-below').hidden = true; // the document ends here
    else showProblem(byId('document-problem'), error);
  }
}

// Adds a passage. `wanted` is the last line that was asked for; the document ends if it was not reached.
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
    scroller.scrollTop += scroller.scrollHeight - heightBefore; // the lines in view stay in place
  }
  showView();
}

// Shows what depends on the lines in view.
function showView() {
  showCurrent();
  colourView();
}

// The outline stays below the head, whose height depends on the width.
export function connectDocument() {
  let isAsked = false;
  const later = () => {
    if (!isAsked) requestAnimationFrame(() => {
      isAsked = false;
      showView();
    });
    isAsked = true;
  };
  byId('document').addEventListener('scroll', later, { passive: true });
  const head = document.querySelector('.document-head');
  new ResizeObserver(() => {
    byId('document').style.setProperty('--head', `${head.offsetHeight}px`);
    later();
  }).observe(head);
}

// Closes the document; its link in the list gets the focus.
export function closeDocument() {
  const target = state.doc;
  go(NO_DOC);
  [...document.querySelectorAll('.cite')].find((link) => link.dataset.doc === target)?.focus();
}

export const copyCitation = () => copy(pane.citation, 'Citation');
