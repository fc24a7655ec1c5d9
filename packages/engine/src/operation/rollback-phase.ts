import type { ChangeMachine } from '@cairn/changes';
import type { Urn } from '@cairn/addresses';
import { equalMaps } from '@cairn/values';
import { isSameObject } from '../decide/undo.js';
import type { ChainRunner } from '../execute/chain-runner.js';
import type { UndoBook } from '../undo/undo-book.js';

/** What taking an operation back works with. */
export interface RollbackPhase {
  readonly machine: ChangeMachine;
  readonly chains: ChainRunner;
  readonly book: UndoBook;
}

/**
 * Takes back everything that the change's tasks have done, in reverse order (changes.md c.5, g.2), then what has values of objects that
 * had to be created again, then what was only written about resources. Resolves when nothing of it runs any more.
 */
export async function rollBack({ machine, chains, book }: RollbackPhase): Promise<void> {
  machine.abort();
  await machine.settled();
  for (let stale = staleUsers(chains, book); stale.length > 0; stale = staleUsers(chains, book)) {
    chains.takeBack(
      stale.map((urn) => ({ urn, part: 'restore', imported: false, option: undefined, holdsData: false })),
    );
    await machine.settled();
  }
  chains.undoer.finish();
}

/** Resources with values of objects that were created again since they were brought back. */
function staleUsers({ live }: ChainRunner, book: UndoBook): readonly Urn[] {
  return book.takeUnsettled().flatMap((was) => {
    const entry = live.live(was)?.entry;
    const aim = entry && book.aim(entry.urn, entry.aliases);
    if (entry === undefined || aim === undefined || !isSameObject(aim, entry)) return [];
    return equalMaps(aim.inputs, entry.inputs) ? [] : [entry.urn];
  });
}
