import { selectRefreshes } from '../decide/refresh-selection.js';
import type { ScopeFacts } from '../decide/facts.js';
import type { ChainRunner } from '../execute/chain-runner.js';
import { rebuildReferences } from '../prior/rebuild.js';
import { LiveState } from '../record/live-state.js';
import { refresh } from '../steps/make.js';
import type { Report } from './report.js';

/**
 * Looks up the selected entries in parallel, each on its own: an error stops no sibling (engine-behaviours-1.md A19 mode 1).
 * Then the base is rebuilt from what was found. `flaggedOnly`: just the entries that ask for it before every update (mode 2).
 * Returns whether all of them could be looked up.
 */
export async function refreshPhase(
  chains: ChainRunner,
  scope: ScopeFacts,
  report: Report,
  flaggedOnly: boolean,
): Promise<boolean> {
  const selected = selectRefreshes(chains.live.base, scope, flaggedOnly);
  if (selected.length === 0) return true;
  const asked = flaggedOnly ? 'before-update' : 'user';
  const ends = await Promise.all(selected.map((slot) => chains.run([refresh(slot, asked)], true)));
  let complete = true;
  for (const end of ends) {
    if (end.t === 'done') continue;
    complete = false;
    if (end.t === 'failed') report.diagnostic(end.diagnostic);
  }
  const rebuilt = new LiveState(rebuildReferences(chains.live.entries()));
  chains.recorder.rebuiltBase();
  chains.recorder = chains.recorder.withBase(rebuilt);
  return complete;
}
