// The view of the context: the passages that fit a budget of tokens, for a model.

import { citeLink, markOpenHit } from './citation.js';
import { byId, copy, el, shadedBar } from './elements.js';
import { count } from './format.js';
import { Gone, isAbort, showAskProblem } from './problems.js';
import { askBody, questionOf } from './question.js';
import { newestOnly, run } from './server.js';
import { timeElement, turnOf } from './session_facts.js';
import { state } from './state.js';
import { showText } from './text.js';

const context = { newest: newestOnly(), asked: null, text: '' };

// Shows the passages for the state. With `anew` the server is asked even if they are shown already.
export async function showContext(anew) {
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

export const copyContext = () => copy(context.text, 'Context');

// Shows the context of an answer; null if there is no question.
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
