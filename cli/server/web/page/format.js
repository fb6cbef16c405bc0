// Numbers and times as people read them.

export const count = (number) => Number(number).toLocaleString('en');

export function bytes(number) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; number >= 1024 && unit < units.length - 1; ++unit) number /= 1024;
  return `${number < 10 && unit > 0 ? number.toFixed(1) : Math.round(number)} ${units[unit]}`;
}

export function duration(seconds) {
  if (seconds < 0.001) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (seconds < 1) return `${(seconds * 1e3).toPrecision(seconds < 0.1 ? 2 : 3)} ms`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// The score of a result as the command line prints it.
export const scoreText = (score) => score.toFixed(3);

// Cuts a text to a number of characters, the last of them "…".
export const shorten = (text, most) => ([...text].length <= most ? text : `${[...text].slice(0, most - 1).join('')}…`);

// "2026-02-25 10:00:08" of an ISO time.
export const timeText = (at) => at.slice(0, 19).replace('T', ' ');

// How long ago an ISO time was, if less than a week, else its day: "3 h ago", "2026-02-25".
export function agoText(at, now = Date.now()) {
  const minutes = Math.floor((now - Date.parse(at)) / 60_000);
  if (!(minutes >= 0) || minutes >= 7 * 1440) return at.slice(0, 10);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ago`;
  return minutes < 2880 ? 'yesterday' : `${Math.floor(minutes / 1440)} days ago`;
}
