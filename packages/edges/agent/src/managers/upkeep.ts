import { hasRunEnded } from '@cairn/changes-daemon';
import type { Manager } from '@cairn/changes-daemon';
import type { ManagerContext } from './context.js';

/** Runs of a stack that are kept after their end. */
const KEPT_RUNS = 100;
/** Milliseconds after which an ended run is deleted, however few there are. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Deletes old runs with their logs and plans, and the requests that they came from. */
export class Upkeep implements Manager {
  readonly #context: ManagerContext;
  #hasCleaned = false;

  constructor(context: ManagerContext) {
    this.#context = context;
  }

  /** Cleans in the first pass; the loop calls `clean` at its own interval. An agent with `--once` has few passes. */
  ensure(): void {
    if (!this.#hasCleaned) this.clean();
  }

  clean(): void {
    this.#hasCleaned = true;
    const { ledger, tasks, work, now } = this.#context;
    const counts = new Map<string, number>();
    const old: string[] = [];
    for (const run of [...ledger.runs.values()].reverse()) {
      if (!hasRunEnded(run.status)) continue;
      const count = (counts.get(run.stack) ?? 0) + 1;
      counts.set(run.stack, count);
      const age = now().getTime() - Date.parse(run.ended ?? run.began);
      if (count > KEPT_RUNS || age > KEPT_MS) old.push(run.id);
    }
    const gone = new Set(old);
    const requests = [...ledger.requests.values()]
      .filter(({ run, supersededBy, at }) =>
        run === undefined
          ? supersededBy !== undefined && now().getTime() - Date.parse(at) > KEPT_MS
          : gone.has(run),
      )
      .map(({ id }) => id);
    if (old.length === 0 && requests.length === 0) return;
    ledger.forget(requests, old);
    tasks.start('upkeep', async () => {
      for (const id of old) await work.forget(id);
    });
  }
}
