import type { SealedSettings, SourceRow } from '../../domain/deployments/deployment.js';
import { nextLook, watchedSource } from '../../domain/deployments/sources.js';
import type { StackTurn } from './deployment-ports.js';

/** Id of the one row of a stack about its source. */
export const SOURCE_ROW = 'source';

/** Returns the name of the lease under which one agent looks at the source of a stack. */
export const leaseOfLook = (stackId: string): string => `source of ${stackId}`;

/** Source of a stack whose commits ask for operations. */
interface KnownSource {
  readonly settings: SealedSettings;
  readonly watched: NonNullable<ReturnType<typeof watchedSource>>;
  readonly row: SourceRow | undefined;
  /** True while an agent looks at it. */
  readonly isHeld: boolean;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
}

/**
 * Returns the time of the next look at the source of a stack, in milliseconds since 1970. One that an agent
 * makes is looked at again after `heldMs`.
 */
export async function nextSourceLook(turn: StackTurn, heldMs: number): Promise<number> {
  const found = await knownSource(turn);
  if (found === undefined) return Infinity;
  return found.isHeld ? turn.ports.now().getTime() + heldMs : found.dueAt;
}

/** Returns the source of a stack whose commits ask for operations, and what is known about it. */
export async function knownSource({ ports, stackId }: StackTurn): Promise<KnownSource | undefined> {
  const { store, now } = ports;
  const [own] = await store.deploymentRows(stackId, 'settings');
  const watched = own && watchedSource(own.row.settings);
  if (own === undefined || watched === undefined) return undefined;
  const [stored] = await store.deploymentRows(stackId, 'sources');
  const row = stored?.row;
  const isHeld =
    row?.agent !== undefined &&
    row.of === watched.of &&
    (await store.livingRunLeases([leaseOfLook(stackId)])).size > 0;
  return { settings: own.row.settings, watched, row, isHeld, dueAt: nextLook(watched, row, now()) };
}
