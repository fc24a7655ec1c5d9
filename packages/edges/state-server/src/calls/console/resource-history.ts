import type { StackId } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import type { ConsoleResourceHistoryAnswer } from '@cairn/http-api';
import { comparedStates } from '../../domain/console/compared-states.js';
import type { StateEntry } from '../../domain/console/state-entries.js';
import { Refusal } from '../../domain/refusal.js';
import type { Secrets } from '../secrets.js';
import type { Stacks } from '../stacks.js';
import { comparableEntries } from './compare.js';
import type { StackViews } from './stack-views.js';

/** Versions of one page. Each reads a state, so that a page costs the same whatever the history has. */
const PAGE = 20;

interface HistoryCalls {
  readonly views: StackViews;
  readonly secrets: Secrets;
  readonly stacks: Stacks;
}

/** Returns the versions of one page of the history that changed a resource, newest first. */
export async function resourceHistory(
  { views, secrets, stacks }: HistoryCalls,
  stack: StackId,
  { urn, page }: { readonly urn: string; readonly page: number },
): Promise<ConsoleResourceHistoryAnswer> {
  const infos = await stacks.history(stack, { size: PAGE, page });
  const comparable = comparableEntries(secrets);
  const entriesAfter = async (version: number): Promise<readonly StateEntry[] | undefined> => {
    if (version < 1) return [];
    try {
      const state = await views.deployment(stack, version);
      const resources = state.resources.filter((entry) => entry.urn === urn && entry['delete'] !== true);
      return await comparable(stack, { ...state, resources });
    } catch (thrown) {
      if (thrown instanceof Refusal || isNotKept(thrown)) return undefined;
      throw thrown;
    }
  };
  const versions: ConsoleResourceHistoryAnswer['versions'][number][] = [];
  let after = infos[0] && (await entriesAfter(infos[0].version));
  for (const { version, kind, startTime: at } of infos) {
    const before = await entriesAfter(version - 1);
    const found = after && before ? changeOf(before, after) : UNKNOWN;
    if (found !== undefined) versions.push({ version, kind, at, ...found });
    after = before;
  }
  const oldest = infos.at(-1)?.version ?? 1;
  return { versions, looked: infos.length, more: oldest > 1 && infos.length === PAGE };
}

const UNKNOWN = { what: 'unknown', differences: [] } as const;

function changeOf(before: readonly StateEntry[], after: readonly StateEntry[]) {
  const { added, gone, changed } = comparedStates(before, after);
  if (added.length > 0) return { what: 'created', differences: [] } as const;
  if (gone.length > 0) return { what: 'deleted', differences: [] } as const;
  const [change] = changed;
  return change && ({ what: 'changed', differences: change.differences } as const);
}

/** States of old versions go by the rules of the service. */
function isNotKept(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-USAGE';
}
