// The page of `recall serve`: makes the page agree with its state, and connects fields, buttons and
// keys. Each view is a module that shows its part of the state; none of them holds state of its own
// that the address should know.

import { parseTarget } from './citation.js';
import { connectCode } from './code.js';
import { close as closeCompletions, complete, connectCompletions } from './completions.js';
import { copyContext, showContext } from './context.js';
import { closeDocument, connectDocument, copyCitation, moreLines, showDocument } from './document.js';
import { connectEditor, showEditing } from './editor.js';
import { byId, setValue } from './elements.js';
import { connectFacets, showFacets } from './facets.js';
import { connectKeys } from './keys.js';
import { links, showCenter, showLinks } from './links.js';
import { connectLines } from './lines.js';
import { connectOutline } from './outline.js';
import { connectRendered } from './rendered.js';
import { isHome } from './question.js';
import { leaveReviews, nextReview, rate, showReviews, showReviewText } from './reviews.js';
import { moreHits, showSearch } from './search.js';
import { endTyping, go, NO_DOC, onChange, readFragment, START, state, TABS } from './state.js';
import { showStore } from './store.js';
import { showViews } from './stores.js';
import { connectUses, showUses } from './uses.js';

const PAUSE_MS = 80; // without a key press, before the server is asked

// Makes the page agree with the state. With `anew` the server is asked even for what is shown already.
function showAll({ anew = false }) {
  for (const tab of TABS) {
    const selected = tab === state.tab;
    byId(`panel-${tab}`).hidden = !selected;
    byId(`tab-${tab}`).setAttribute('aria-selected', String(selected));
    byId(`tab-${tab}`).tabIndex = selected ? 0 : -1;
  }
  document.body.classList.toggle('on-store', state.tab === 'store');
  document.body.classList.toggle('on-reviews', state.tab === 'reviews');
  document.body.classList.toggle('on-home', isHome());
  setValue(byId('query'), state.q);
  setValue(byId('filter'), state.filter);
  setValue(byId('budget'), String(state.budget));
  setValue(byId('budget-number'), String(state.budget));
  byId('notes').checked = state.notes !== '';
  showViews();
  byId('store').value = state.store || byId('store').options[0]?.value;
  document.title = state.q.trim() ? `${state.q.trim()} – Recall` : 'Recall';
  if (state.tab === 'search') showSearch(anew);
  if (state.tab === 'context') showContext(anew);
  if (state.tab === 'reviews') showReviews(anew);
  else leaveReviews();
  showFacets(anew);
  showStore(anew);
  showDocument(anew);
  showUses(anew);
}

// Delays a task: `later` runs it after a pause in which `later` is not called again, `now` at once.
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

// Takes over what is typed in the fields of the question.
function readAsk() {
  go({ q: byId('query').value, filter: byId('filter').value }, 'type');
}

function connectFields() {
  const typed = afterPause(readAsk);
  for (const id of ['query', 'filter']) {
    byId(id).addEventListener('input', typed.later);
    // What is typed after Enter, or after the field was left, is a new entry of the history.
    byId(id).addEventListener('change', () => {
      typed.now();
      endTyping();
    });
  }
  const completed = afterPause(complete);
  byId('filter').addEventListener('input', completed.later);
  byId('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    closeCompletions();
    typed.now();
    endTyping();
  });
}

// The slider and the number of the budget show the same value.
function connectBudget() {
  const budget = afterPause(() => go({ budget: budgetValue }, 'type'));
  let budgetValue = START.budget;
  for (const id of ['budget', 'budget-number']) {
    byId(id).addEventListener('input', () => {
      if (!byId(id).checkValidity() || byId(id).value === '') return;
      budgetValue = Number(byId(id).value);
      for (const other of ['budget', 'budget-number']) if (other !== id) byId(other).value = budgetValue;
      budget.later();
    });
    byId(id).addEventListener('change', endTyping);
  }
}

function connectButtons() {
  for (const tab of TABS) byId(`tab-${tab}`).addEventListener('click', () => go({ tab }));
  byId('more-hits').addEventListener('click', moreHits);
  byId('copy-context').addEventListener('click', copyContext);
  byId('help-button').addEventListener('click', () => byId('help').showModal());
  byId('close-help').addEventListener('click', () => byId('help').close());
  byId('token-cancel').addEventListener('click', () => byId('token-dialog').close());
  byId('store').addEventListener('change', () => go({ ...NO_DOC, store: byId('store').value }));
  byId('view').addEventListener('change', () => go({ view: byId('view').value }));
  byId('notes').addEventListener('change', () => go({ notes: byId('notes').checked ? '1' : '' }));
  byId('review-show').addEventListener('click', showReviewText);
  byId('review-skip').addEventListener('click', nextReview);
  for (const button of document.querySelectorAll('[data-rate]')) {
    button.addEventListener('click', () => rate(Number(button.dataset.rate)));
  }
}

function connectDocumentButtons() {
  byId('more-above').addEventListener('click', () => moreLines(false));
  byId('more-below').addEventListener('click', () => moreLines(true));
  byId('close-document').addEventListener('click', closeDocument);
  byId('copy-citation').addEventListener('click', copyCitation);
  byId('turn-role').addEventListener('change', () => go({ role: byId('turn-role').value }));
  byId('turn-choice').addEventListener('submit', (event) => {
    event.preventDefault();
    const { path } = parseTarget(state.doc);
    go({ doc: path, turn: String(Number(byId('turn-number').value)) });
  });
  byId('links').addEventListener('toggle', showCenter);
  for (const button of document.querySelectorAll('.distance')) {
    button.addEventListener('click', () => showLinks(links.path, Number(button.dataset.depth)));
  }
}

connectFields();
connectBudget();
connectButtons();
connectDocumentButtons();
connectDocument();
connectLines();
connectRendered();
connectCode();
connectOutline();
connectUses();
connectFacets();
connectCompletions();
connectEditor();
connectKeys();
onChange(showAll);
window.addEventListener('popstate', () => showAll({ anew: readFragment() }));
const typedEarly = byId('query').value; // while the modules were loaded
readFragment();
if (typedEarly !== '' && state.q === '') go({ q: typedEarly }, 'type');
else showAll({});
showEditing();
if (state.doc === '' && !['store', 'reviews'].includes(state.tab)) byId('query').focus();
