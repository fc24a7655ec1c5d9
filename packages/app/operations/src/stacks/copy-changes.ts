import type { Backend, ChangeRow, Migration, MovingChange } from '@cairn/backends';
import { cairnError, isCairnError, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { goJson, untypedDeploymentText } from '@cairn/state';
import type { Json, SecretsProviderRecord } from '@cairn/state';
import { isRenamed } from './copy-history.js';
import { resealedChange } from './reseal-change.js';

/** Facts about a copy of changes besides its stacks. */
interface CopyFacts {
  /** Manager of the state of the stack. */
  readonly manager: SecretsProviderRecord | undefined;
  /** True if the target has the state of the stack already. */
  readonly hasState: boolean;
}

/**
 * Copies the changes of a stack that have ended under their numbers, newest first, and compares each with what the
 * target then has [STORE-24]. What the target names differently, the states before and after changes, is named anew.
 * Returns warnings about changes that stay. A state service may take none: it is no service of ours, or takes them from
 * administrators only.
 */
export async function copyChanges(
  source: Backend,
  target: Backend,
  migration: Migration,
  { manager, hasState }: CopyFacts,
): Promise<readonly Diagnostic[]> {
  const { to } = migration;
  const warnings: Diagnostic[] = [];
  const names = hasState ? await namesOfState(source, target, migration) : new Map<string, string>();
  const named = (name: string): string => names.get(name) ?? name;
  for (const row of await keptChanges(source, migration)) {
    const stays = (...causes: readonly string[]): unknown => warnings.push(leftOut(row, source, causes));
    const found = await readableChange(source, migration, row, manager).catch(causesOf);
    if ('causes' in found) {
      stays(...found.causes);
      continue;
    }
    const { base, left } = found.names;
    const states = { base: named(base), left: left === undefined ? undefined : named(left) };
    const sent = { ...found.change, states };
    const added = await target.pastChanges.add(to, sent);
    if (added.outcome === 'refused') return [staying(source)];
    if ('why' in added) {
      stays(added.why);
      continue;
    }
    if (!names.has(base)) names.set(base, added.base);
    if (added.outcome === 'added') await compare(target, migration, sent);
  }
  return warnings;
}

/** Change as the target gets it, and the names that the source has for its states. */
interface ReadableChange {
  readonly change: MovingChange;
  readonly names: MovingChange['states'];
}

/** Reads a change, with its secrets sealed again if that is asked for. Fails for one that has not ended. */
async function readableChange(
  source: Backend,
  { from, seal }: Migration,
  { number }: ChangeRow,
  manager: SecretsProviderRecord | undefined,
): Promise<ReadableChange> {
  const change = await source.pastChanges.read(from, number);
  if (change === undefined) throw cairnError('CAIRN-UNFINISHED', 'it has not ended');
  return {
    change: seal === undefined ? change : await resealedChange(change, seal, manager),
    names: change.states,
  };
}

/** Returns the reasons why a change cannot be read. */
function causesOf(thrown: unknown): { readonly causes: readonly string[] } {
  if (!isCairnError(thrown)) throw thrown;
  return { causes: thrown.diagnostics.map(({ summary }) => summary) };
}

/** Returns the rows of changes, newest first. A service of another maker keeps none. */
async function keptChanges(source: Backend, { from }: Migration): Promise<readonly ChangeRow[]> {
  return (await source.newestChange(from)) === undefined ? [] : source.changes(from);
}

/** Returns the name of the present state at the target by that at the source. A renamed state is another one. */
async function namesOfState(
  source: Backend,
  target: Backend,
  { from, to }: Migration,
): Promise<Map<string, string>> {
  const [here, there] = [await source.pastChanges.stateName(from), await target.pastChanges.stateName(to)];
  const isKnown = !isRenamed(from, to) && here !== undefined && there !== undefined;
  return new Map(isKnown ? [[here, there]] : []);
}

/** Fails if the target does not have a change as it was sent. Sealed values are compared as they are. */
async function compare(target: Backend, { to }: Migration, sent: MovingChange): Promise<void> {
  const there = await target.pastChanges.read(to, sent.number);
  if (there !== undefined && textOf(there) === textOf(sent)) return;
  throw cairnError('CAIRN-JOURNAL-CORRUPT', `change ${sent.number} is not in ${target.url} as it was sent`, {
    hint: 'Report it. Nothing was moved.',
  });
}

/** Returns the text of a change by which two are compared. It keeps the sign of a zero. */
function textOf({ operation, end, records, messages, base }: MovingChange): string {
  const parts = { operation, end, records, messages } as unknown as Json;
  return `${goJson(parts)}${base === undefined ? '' : untypedDeploymentText(base)}`;
}

function staying({ url }: Backend): Diagnostic {
  return warningDiagnostic(
    'CAIRN-CHANGES-NOT-KEPT',
    `the records of changes are not copied: they stay in ${url}`,
    {
      hint: 'The state service takes them from an administrator, if it is one of Cairn. Run `cairn changes` there to see them.',
    },
  );
}

function leftOut({ id }: ChangeRow, { url }: Backend, causes: readonly string[]): Diagnostic {
  return warningDiagnostic('CAIRN-CHANGES-NOT-KEPT', `change ${id} is not copied: it stays in ${url}`, {
    causes,
    hint: 'Run `cairn changes` there to see it.',
  });
}
