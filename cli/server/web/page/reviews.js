// The view of the reviews: what is due, one text at a time, and its ratings.

import { nameOf, opens } from './citation.js';
import { byId, el, toast } from './elements.js';
import { count } from './format.js';
import { withoutCard } from './note.js';
import { Gone, isAbort, showProblem } from './problems.js';
import { ask, newestOnly, run } from './server.js';
import { state } from './state.js';
import { showText } from './text.js';

const MOST_DUE = 100; // documents in the list

const reviews = {
  newest: newestOnly(),
  asked: null, // the store whose reviews are shown
  writes: false, // whether the server accepts ratings
  due: [], // the first is under review
  total: 0, // documents that are due, also those that are not listed
  shown: false, // whether the text under review is shown
  rating: false, // whether a rating is being sent
  done: 0, // ratings since the page was loaded
};

// Loads what is due. With `anew` the server is asked even if it is shown already.
export async function showReviews(anew) {
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

// Forgets what is due, so that it is looked up each time the view is opened.
export function leaveReviews() {
  reviews.asked = null;
}

// Draws the first document that is due, if the server accepts ratings, and below it a list of the others.
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

export async function showReviewText() {
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

// Rates the text that is shown, 0 (forgotten) to 5 (at once), and goes to the next.
export async function rate(quality) {
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

// Goes to the next document. A skipped one stays due: it returns when the list is loaded again.
export function nextReview() {
  reviews.due = reviews.due.slice(1);
  reviews.shown = false;
  if (reviews.due.length === 0 && reviews.total > 0 && reviews.done > 0) return showReviews(true);
  drawReview();
  if (reviews.due.length > 0) byId('review-show').focus();
}

// The action of a key in the view of the reviews, or null. A digit rates once the text is shown.
export function reviewKey(key) {
  if (state.tab !== 'reviews' || state.doc || byId('review').hidden) return null;
  if (key === 's') return nextReview;
  return reviews.shown && /^[0-5]$/.test(key) ? () => rate(Number(key)) : null;
}
