import { isName, isUrn, urnParts } from '@cairn/addresses';
import { inFlight } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { isCairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { BackendContext } from '../backend-context.js';
import { checkpointKey, deploymentOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { checkpointEnd, layout, legacyStackOfKey } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { companionMoves, copyAll, deleteMoved } from './companions.js';
import { lockStack } from './locked.js';
import { writeMeta } from './meta.js';

/**
 * Sources of an upgrade. `projectOf` returns the project of a stack whose state names none, or undefined to leave the
 * stack where it is.
 */
export interface UpgradeSources {
  readonly projectOf: (stack: string) => Promise<string | undefined>;
  /** Notified of each stack when it is done. */
  readonly onStack?: (done: number, all: number) => void;
}

/**
 * Result of an upgrade. `moved` are the new places of stacks. `warnings` has one for each that stayed, with the reason.
 */
export interface Upgrade {
  readonly moved: readonly StackId[];
  readonly warnings: readonly Diagnostic[];
}

/** Stack of the old layout with its future project. */
interface Planned {
  readonly from: StackId;
  readonly project: string | undefined;
}

/** Lists names of the stacks of the old layout, in order. */
async function legacyStacks(store: BlobStore): Promise<readonly string[]> {
  const ids = (await store.list(layout.stacks)).map((row) => legacyStackOfKey(row.key)?.stack);
  return [...new Set(ids.filter((stack) => stack !== undefined))].sort();
}

/**
 * Moves the stacks of the old layout into their projects [STORE-4]. Asks for the project if the state names none. Then
 * `meta.yaml` says version 1, and each stack follows with its history, backups, tags and journals. One that cannot be
 * moved stays, with a warning. If it is killed at any point, the next run continues. A stack that has been moved is
 * never touched again.
 */
export async function upgradeStore(context: BackendContext, sources: UpgradeSources): Promise<Upgrade> {
  const { store, settings } = context;
  const stacks = await legacyStacks(store);
  const planned: Planned[] = [];
  const states = await inFlight(stacks, settings.parallel, (stack) => projectInState(context, stack));
  const warnings: Diagnostic[] = [];
  for (const [index, stack] of stacks.entries()) {
    const found = states[index];
    if (typeof found === 'object') warnings.push(found);
    else planned.push({ from: { project: '', stack }, project: found ?? (await sources.projectOf(stack)) });
  }
  await writeMeta(store);
  let done = 0;
  const outcomes = await inFlight(planned, settings.parallel, async (plan) => {
    const outcome = await upgradeStack(context, plan);
    done += 1;
    sources.onStack?.(done, planned.length);
    return outcome;
  });
  return {
    moved: outcomes.filter((outcome) => 'stack' in outcome),
    warnings: [...warnings, ...outcomes.filter((outcome) => 'severity' in outcome)],
  };
}

/**
 * Returns the project in the first resource's URN, undefined when there is none, or a warning when the state cannot be
 * read.
 */
async function projectInState(
  { store }: BackendContext,
  stack: string,
): Promise<string | Diagnostic | undefined> {
  try {
    const checkpoint = await loadCheckpoint(store, { project: '', stack });
    const first = checkpoint === undefined ? undefined : deploymentOf(checkpoint)?.resources[0];
    return first !== undefined && isUrn(first.urn) ? urnParts(first.urn).project : undefined;
  } catch (thrown) {
    return stays(stack, reasonOf(thrown));
  }
}

async function upgradeStack(
  context: BackendContext,
  { from, project }: Planned,
): Promise<StackId | Diagnostic> {
  if (project === undefined)
    return stays(from.stack, { summary: 'it has no resources, and no project was given' });
  if (!isName(project))
    return stays(from.stack, { summary: `"${project}" is not a valid name of a project` });
  const to = { project, stack: from.stack };
  try {
    const lock = await lockStack(context, from);
    try {
      return (await moveStack(context.store, from, to)) ?? to;
    } finally {
      await lock.release();
    }
  } catch (thrown) {
    return stays(from.stack, reasonOf(thrown));
  }
}

/**
 * Moves a stack. All other files are in their new place before the checkpoint is, and gone from the old one before the
 * old checkpoint is.
 */
async function moveStack(store: BlobStore, from: StackId, to: StackId): Promise<Diagnostic | undefined> {
  const key = await checkpointKey(store, from);
  const blob = key === undefined ? undefined : await store.get(key);
  if (key === undefined || blob === undefined) return undefined;
  const target = layout.checkpoint(to) + checkpointEnd(key);
  const present = await checkpointKey(store, to);
  const moves = await companionMoves(store, from, to);
  if (present === undefined) {
    await copyAll(store, moves);
    await store.put(target, blob.bytes, { ifAbsent: true });
  } else if (!Buffer.from((await store.get(present))?.bytes ?? []).equals(blob.bytes)) {
    return stays(from.stack, { summary: `project "${to.project}" already has a stack of that name` });
  }
  await deleteMoved(store, moves);
  await store.copy(key, layout.previous(key));
  await store.delete(key);
  return undefined;
}

type Reason = Pick<Diagnostic, 'summary'> & Partial<Diagnostic>;

function reasonOf(thrown: unknown): Reason {
  return (isCairnError(thrown) ? thrown.diagnostics[0] : undefined) ?? { summary: messageOf(thrown) };
}

function stays(stack: string, why: Reason): Diagnostic {
  return warningDiagnostic('CAIRN-STATE-TOO-OLD', `stack "${stack}" was not moved: ${why.summary}`, {
    causes: why.causes ?? [],
    hint: why.hint ?? 'Correct that, then run `cairn state upgrade` again.',
  });
}
