// The keys of the page.

import { shownLinks } from './citation.js';
import { moveName } from './code.js';
import { closeDocument, reopen } from './document.js';
import { editNote, newNote } from './editor.js';
import { byId } from './elements.js';
import { focusOutline, hasOutline, moveDefinition } from './outline.js';
import { questionOf } from './question.js';
import { reviewKey } from './reviews.js';
import { explainHit } from './search.js';
import { moveTurn } from './session.js';
import { go, state, TABS } from './state.js';
import { closeUses } from './uses.js';

// The link of the result that has the focus, or else that is open, or else the first.
function currentLink() {
  const all = shownLinks();
  return document.activeElement.closest('.hit, .piece')?.querySelector('.cite')
    ?? all.find((link) => link.dataset.doc === state.doc) ?? all[0];
}

// Focuses the next (1) or previous (-1) result; above the first is the query.
function move(step) {
  const all = shownLinks();
  const isInList = document.activeElement.closest('.hit, .piece') || state.doc;
  const at = all.indexOf(currentLink());
  const next = isInList && at >= 0 ? at + step : 0;
  if (next < 0) return byId('query').focus();
  const link = all[Math.min(next, all.length - 1)];
  link?.focus();
  link?.closest('li').scrollIntoView({ block: 'nearest' });
}

function openCurrent() {
  currentLink()?.click();
}

function explainCurrent() {
  const hit = currentLink()?.closest('.hit');
  if (hit) explainHit(hit);
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

// To the next (1) or previous (-1) definition of code, or turn of a session.
const moveWithin = (step) => (hasOutline() ? moveDefinition(step) : moveTurn(step, reopen));

const KEYS = {
  '/': focusQuery,
  j: () => move(1),
  k: () => move(-1),
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  e: explainCurrent,
  '[': () => moveWithin(-1),
  ']': () => moveWithin(1),
  b: () => moveName(-1),
  w: () => moveName(1),
  o: focusOutline,
  n: newNote,
  i: editNote,
  '?': () => byId('help').showModal(),
  1: () => go({ tab: 'search' }),
  2: () => go({ tab: 'context' }),
  3: () => go({ tab: 'reviews' }),
  4: () => go({ tab: 'store' }),
};

// The action of a key that is pressed in a field, or null.
function keyInField(event, field) {
  if (event.key === 'ArrowDown' && field.type !== 'range' && field.type !== 'number') return () => move(1);
  // Enter opens the first result once the results of what is typed are shown.
  if (event.key === 'Enter' && field.id === 'query') {
    const isAsked = questionOf(state) === questionOf({ ...state, q: field.value });
    return isAsked && !byId('hits').hasAttribute('aria-busy') ? openCurrent : null;
  }
  return null;
}

// The action of a key press, or null.
function actionOf(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  if (document.querySelector('dialog[open]')) return null; // a dialog has keys of its own
  if (key === 'Escape') return state.doc && state.name ? closeUses : state.doc ? closeDocument : () => document.activeElement.blur();
  if (target.matches('input, select, textarea')) return keyInField(event, target);
  const arrow = key.startsWith('Arrow');
  if (arrow && target.matches('[role="tab"]')) {
    return key === 'ArrowRight' ? () => switchTab(1) : key === 'ArrowLeft' ? () => switchTab(-1) : null;
  }
  if (arrow && (target.closest('.document') || ['store', 'reviews'].includes(state.tab))) return null; // they scroll
  return reviewKey(key) ?? KEYS[key];
}

export function connectKeys() {
  document.addEventListener('keydown', (event) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  });
}
