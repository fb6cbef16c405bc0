// Checked by `tsc`, not run.
import recall = require('@recall-db/recall');

export function use(): number {
  using store: recall.Store = recall.openSync('birds.db');
  const hits: recall.Hit[] = store.searchSync('q', {k: 1});
  const error: unknown = new Error('x');
  return error instanceof recall.RecallError ? error.status : hits.length;
}
