// Measurements of the server: latency by route and by stage of a search.

import { byId, el, svg } from './elements.js';
import { count, duration } from './format.js';
import { Gone, isAbort, showProblem } from './problems.js';
import { ask } from './server.js';

const METRICS_MS = 2000; // between two readings

// Shows the measurements at once and then every METRICS_MS, until `signal` is aborted.
export function pollMetrics(signal) {
  let reading = false; // a slow server is not asked again before it has answered
  const read = async () => {
    if (reading) return;
    reading = true;
    await readMetrics(signal);
    reading = false;
  };
  read();
  const timer = setInterval(read, METRICS_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

async function readMetrics(signal) {
  if (document.hidden) return;
  try {
    const response = await ask('/metrics', { signal });
    if (response.ok) showMetrics(parseMetrics(await response.text()));
    else showLatency([]);
  } catch (error) {
    if (!(error instanceof Gone) && !isAbort(error)) showProblem(byId('store-problem'), error);
  }
}

// Parses the text format of Prometheus. Returns: samples, [{ name, labels, value }].
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

// The histograms of a metric, one for each value of `label`: [{ name, count, quantile(share) }]. Those without
// measurements are left out.
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
  // Measurements are assumed to be spread evenly within a bucket.
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

// Shows a plot for each [title, histograms], and a line of facts above.
function showLatency(plots, facts = '') {
  const shown = plots.filter(([, rows]) => rows.length > 0);
  byId('latency-status').textContent = facts || 'No measurements';
  // An open table of numbers stays open.
  const open = new Set([...document.querySelectorAll('.plot details[open]')].map((details) => details.dataset.plot));
  const room = byId('plots').clientWidth;
  const width = Math.max(280, room / (room > 900 && shown.length > 1 ? 2 : 1) - 54); // 54: padding of a plot
  byId('plots').replaceChildren(...shown.map(([title, rows]) => latencyPlot(title, rows, width, open.has(title))));
}

// A row for each histogram, on a logarithmic axis of time: a dot at the median, and lines to the 95th and 99th
// percentile. `open`: the table of numbers is unfolded.
function latencyPlot(title, rows, width, open) {
  const height = 26 * rows.length + 26;
  const axis = logAxis(rows, width);
  const { x } = axis;
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', height }, ...gridOf(axis, height));
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

// The axis from the power of ten below all values to the one above. `x` maps seconds to pixels.
function logAxis(rows, width) {
  const left = 110; // names of rows
  const right = 16;
  const ends = rows.flatMap(({ quantile }) => [0.5, 0.99].map((share) => Math.max(quantile(share), 1e-6)));
  const low = 10 ** Math.floor(Math.log10(Math.min(...ends)));
  const high = Math.max(10 ** Math.ceil(Math.log10(Math.max(...ends))), low * 10);
  const scale = (width - left - right) / Math.log(high / low);
  return { low, high, x: (seconds) => left + scale * Math.log(Math.max(seconds, low) / low) };
}

// A line and a label for each power of ten, or a label for every second one if they are close.
function gridOf({ low, high, x }, height) {
  const grid = [];
  const decade = x(low * 10) - x(low);
  for (let i = 0; low * 10 ** i <= high * 1.001; ++i) {
    const at = x(low * 10 ** i);
    grid.push(svg('line', { class: 'grid', x1: at, x2: at, y1: 0, y2: height - 20 }));
    if (decade < 50 && i % 2 === 1) continue;
    const label = duration(low * 10 ** i).replace('.0', '');
    grid.push(svg('text', { class: 'axis', x: at, y: height - 6, 'text-anchor': 'middle' }, label));
  }
  return grid;
}

// The table of the numbers of a plot, folded unless `open`.
function numbersOf(title, rows, open) {
  const details = el('details', open ? { open: '' } : {}, el('summary', {}, 'numbers'), el('table', {},
    el('tr', {}, ...['', 'count', 'median', '95 %', '99 %'].map((head) => el('th', { scope: 'col' }, head))),
    ...rows.map(({ name, count: n, quantile }) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, count(n)),
      ...[0.5, 0.95, 0.99].map((share) => el('td', {}, duration(quantile(share))))))));
  details.dataset.plot = title;
  return details;
}
