import { fullStackName } from '@cairn/backends';
import type { Backend, HistoryRow, Migration, StackId } from '@cairn/backends';
import { cairnError, isCairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { renamedStack } from '@cairn/state';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';

/** Result of copying a history. */
export interface CopiedHistory {
  /** Warnings about what stays. */
  readonly lost: readonly Diagnostic[];
  /** State at the source that the target has now because of its newest update. */
  readonly last: SerializedDeployment | undefined;
  /** True if work has continued at the target, so that its state is newer than the source's. */
  readonly isPast: boolean;
}

/** Returns a state as the target has it: under the new name, sealed by the new manager. */
export async function asThere(
  { from, to, seal }: Migration,
  deployment: SerializedDeployment,
): Promise<SerializedDeployment> {
  const hasManager = deployment.secretsProvider !== undefined;
  const sealed = seal === undefined || !hasManager ? deployment : await seal.deployment(deployment);
  return isRenamed(from, to) ? renamedStack(sealed, from, to) : sealed;
}

/**
 * Copies the updates that the target does not have yet, oldest first. Throws CAIRN-STACK-EXISTS if those that it has
 * are others. A state service may take none: it is no service of ours, or takes them from administrators only.
 */
export async function copyHistory(
  source: Backend,
  target: Backend,
  migration: Migration,
  manager: SecretsProviderRecord | undefined,
): Promise<CopiedHistory> {
  const { from, to } = migration;
  const rows = (await source.history(from)).toReversed();
  const present = target.bucket === undefined ? (await target.history(to)).toReversed() : [];
  refuseOther(to, rows, present);
  const isPast = rows.length > 0 && present.length > rows.length;
  let last: SerializedDeployment | undefined;
  for (const [order, row] of rows.entries()) {
    const isNewest = order === rows.length - 1;
    if (order < present.length && !isNewest) continue;
    const state = await knownState(source, from, row.number);
    const update = { order, row, state, manager };
    if (order >= present.length && !(await addUpdate(target, migration, update)))
      return { lost: [staying(source)], last, isPast };
    if (target.bucket === undefined) last = state;
  }
  return { lost: [], last, isPast };
}

/** Returns the state after an update, or undefined if it is not kept or cannot be read. */
async function knownState(
  source: Backend,
  from: StackId,
  version: number,
): Promise<SerializedDeployment | undefined> {
  try {
    return await source.stateAfter(from, version);
  } catch (thrown) {
    const code = isCairnError(thrown) ? thrown.diagnostics[0]?.code : undefined;
    if (code === 'CAIRN-USAGE' || code === 'CAIRN-STATE-CORRUPT') return undefined;
    throw thrown;
  }
}

interface CopiedUpdate {
  readonly order: number;
  readonly row: HistoryRow;
  readonly state: SerializedDeployment | undefined;
  readonly manager: SecretsProviderRecord | undefined;
}

async function addUpdate(
  { bucket, service }: Backend,
  migration: Migration,
  { order, row: { number: _number, ...entry }, state, manager }: CopiedUpdate,
): Promise<boolean> {
  const { to, seal } = migration;
  const sealedBy = state?.secretsProvider ?? manager;
  const config =
    seal === undefined || sealedBy === undefined ? entry.config : await seal.config(entry.config, sealedBy);
  const update = {
    entry: { ...entry, config, version: 0 },
    state: state && (await asThere(migration, state)),
  };
  if (service !== undefined) return service.addHistory(to, order + 1, update);
  await bucket?.addHistory(to, { ...update, order });
  return true;
}

function staying({ url }: Backend): Diagnostic {
  return warningDiagnostic('CAIRN-USAGE', `the history of the stack is not copied: it stays in ${url}`, {
    hint: 'The state service takes it from an administrator, if it is one of Cairn.',
  });
}

/** Refuses a target whose updates are not those of the source. It may have more: work has continued there. */
function refuseOther(to: StackId, rows: readonly HistoryRow[], present: readonly HistoryRow[]): void {
  const other = present.find((there, index) => {
    const here = rows[index];
    return here !== undefined && (here.startTime !== there.startTime || here.endTime !== there.endTime);
  });
  if (other !== undefined) throw takenName(to);
}

/**
 * Returns true if an interrupted copy has the state already. Throws CAIRN-STACK-EXISTS if the stack there has resources
 * and is no copy.
 */
export async function isCopied(
  target: Backend,
  to: StackId,
  deployment: SerializedDeployment | undefined,
): Promise<boolean> {
  const there = (await target.read(to, { integrity: 'skip' })).deployment;
  if ((there?.resources ?? []).length === 0) return false;
  const objects = (state: SerializedDeployment | undefined): string =>
    JSON.stringify((state?.resources ?? []).map(({ urn, id }) => [urn, id]));
  if (objects(there) === objects(deployment)) return true;
  throw takenName(to);
}

function takenName(to: StackId): Error {
  return cairnError('CAIRN-STACK-EXISTS', `another stack is at ${fullStackName(to)}`, {
    hint: 'Rename one of the two, then run the command again.',
  });
}

/** Returns true if a stack gets another name. */
export function isRenamed(from: StackId, to: StackId): boolean {
  return from.project !== to.project || from.stack !== to.stack;
}
