import { BugError, unreachable } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { equalMaps } from '@cairn/values';
import { asProviderError } from '@cairn/wire';
import type { Provider } from '@cairn/wire';
import { wantsReplacement } from '../../decide/replace-on-changes.js';
import { resolveUnknown } from '../../decide/structural-diff.js';
import type { Undo } from '../../decide/undo.js';
import { createStep } from '../../model/make-step.js';
import type { Cell } from '../../model/cell.js';
import { noDiff } from '../../model/step.js';
import type { Step } from '../../model/step.js';
import { answeredDiff } from '../../providers/provider-answer.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import { createObject } from './create.js';
import { stillThere } from './delete.js';
import { entryIdentity, withProvider } from './handler.js';
import type { StepHandlerContext } from './handler.js';
import { updateObject } from './update.js';

/** Effect of an undo. */
export type UndoEffect =
  | Effect
  /** The object cannot be changed back in place: a person must decide about a replacement. */
  | { readonly t: 'needs-consent'; readonly keys: readonly string[] }
  /** As agreed, the object was deleted. It will be created again with its earlier inputs. */
  | { readonly t: 'deleted-first' };

/** Undos that have an effect. */
export type ActingUndo = Exclude<Undo, { readonly t: 'nothing' | 'keep' }>;

/**
 * Returns the step of an undo, for events and errors. Hooks are functions of the program and a rollback runs without
 * one, so the entries of the step name none.
 */
export function undoStep(undo: ActingUndo, cell: Cell | undefined): Step {
  const reason = { t: 'rollback' } as const;
  switch (undo.t) {
    case 'delete':
    case 'forget': {
      const { now } = undo;
      const noCall =
        undo.t === 'delete' ? undefined : now.external ? 'external' : now.custom ? 'retained' : 'component';
      return {
        kind: 'delete',
        urn: now.urn,
        reason,
        diff: noDiff,
        cell: presentCell(cell, now),
        old: now,
        leavesPending: false,
        noCall,
      };
    }
    case 'update':
    case 'write': {
      const { now, was } = undo;
      const entry = withEntry(withoutHooks(was), { id: now.id });
      return {
        kind: 'update',
        urn: now.urn,
        reason,
        diff: noDiff,
        cell: presentCell(cell, now),
        old: now,
        new: entry,
      };
    }
    case 'create':
    case 'put-back':
      return createStep(withEntry(withoutHooks(undo.was), { id: '', pendingReplacement: false }), reason);
    default:
      return unreachable(undo);
  }
}

function presentCell(cell: Cell | undefined, entry: ResourceEntry): Cell {
  if (cell === undefined) throw new BugError(`nothing of ${entry.urn} is there to be undone`);
  return cell;
}

/** Undoes a change, through its provider if necessary [REC-4]. The entry of the effect is to be stored. */
export async function carryOutUndo(
  undo: ActingUndo,
  step: Step,
  context: StepHandlerContext,
): Promise<UndoEffect> {
  switch (undo.t) {
    case 'delete':
      return removeObject(undo.now, step, context);
    case 'update':
      return changeBack(undo, step, context);
    case 'create':
      return createAgain(undo.was, step, context);
    case 'forget':
      return done(undefined);
    case 'write':
    case 'put-back':
      return done(undo.was);
    default:
      return unreachable(undo);
  }
}

/**
 * Deletes by the recorded id. An object that is already gone counts as deleted. One that remains is recorded as its
 * provider now describes it.
 */
function removeObject(now: ResourceEntry, step: Step, context: StepHandlerContext): Promise<Effect> {
  return withProvider(
    step,
    now,
    context,
    async (provider, views) => {
      try {
        await provider.delete({
          ...entryIdentity(now),
          ...views,
          id: now.id,
          oldInputs: now.inputs,
          oldOutputs: now.outputs,
          timeoutSeconds: now.customTimeouts.delete,
        });
      } catch (thrown) {
        if (asProviderError(thrown).code !== 'NOT_FOUND') throw thrown;
      }
      return done(undefined);
    },
    (error) => stillThere(now, error, context),
  );
}

/**
 * Changes the object back. Does nothing if its provider reports no difference. If this requires a new object, asks for
 * consent, or deletes the object with consent.
 */
async function changeBack(
  { now, was, mayReplace }: Extract<Undo, { readonly t: 'update' }>,
  step: Step,
  context: StepHandlerContext,
): Promise<UndoEffect> {
  if (step.kind !== 'update') throw new BugError(`an update of ${now.urn} is undone by a ${step.kind}`);
  const asked = await askBack(now, was, step, context);
  if ('t' in asked) return asked;
  const { replaces, differs } = asked;
  if (replaces !== undefined) {
    if (!mayReplace) return { t: 'needs-consent', keys: replaces };
    const effect = await removeObject(now, step, context);
    return effect.t === 'done' ? { t: 'deleted-first' } : effect;
  }
  if (!differs)
    return done(withEntry(was, { outputs: equalMaps(was.inputs, now.inputs) ? was.outputs : now.outputs }));
  const effect = await updateObject(step, context);
  if (effect.t !== 'done' || effect.entry === undefined) return effect;
  return { ...effect, entry: withEntry(was, { outputs: effect.entry.outputs }) };
}

/**
 * Changes necessary to change an object back. `replaces` contains keys that cannot be changed in place. Undefined if
 * all can.
 */
interface ReverseDiff {
  readonly replaces: readonly string[] | undefined;
  readonly differs: boolean;
}

/**
 * Asks the provider for the changes necessary to change an object back. This is a question, so its failure leaves no
 * doubt.
 */
export async function askBack(
  now: ResourceEntry,
  was: ResourceEntry,
  step: Step,
  context: StepHandlerContext,
): Promise<ReverseDiff | Extract<Effect, { readonly t: 'failed' }>> {
  let found: ReverseDiff | undefined;
  const effect = await withProvider(step, now, context, async (provider) => {
    const answer = await reverseDiff(provider, now, was);
    const replaces = wantsReplacement(answer) ? answer.replaceKeys : undefined;
    found = { replaces, differs: answer.changes === 'some' || now.initErrors.length > 0 };
    return done(undefined);
  });
  if (found !== undefined) return found;
  if (effect.t === 'done') throw new BugError(`the provider of ${now.urn} was asked and gave no answer`);
  return { t: 'failed', diagnostic: effect.diagnostic };
}

async function reverseDiff(provider: Provider, now: ResourceEntry, was: ResourceEntry) {
  const answer = await provider.diff({
    ...entryIdentity(now),
    id: now.id,
    oldInputs: now.inputs,
    oldOutputs: now.outputs,
    news: was.inputs,
    allowUnknowns: false,
    ignoreChanges: [],
  });
  const diff = answeredDiff({ entry: now, call: 'diff', preview: false }, answer);
  return resolveUnknown(diff, now.inputs, was.inputs, []);
}

/** Creates the object from its prior inputs. It has a new id. */
async function createAgain(was: ResourceEntry, step: Step, context: StepHandlerContext): Promise<Effect> {
  if (step.kind !== 'create') throw new BugError(`a delete of ${was.urn} is undone by a ${step.kind}`);
  const effect = await createObject(step, context);
  if ((effect.t !== 'done' && effect.t !== 'partial') || effect.entry === undefined) return effect;
  const { id, outputs, created, modified, initErrors, refreshBeforeUpdate } = effect.entry;
  const entry = withEntry(was, {
    id,
    outputs,
    created,
    modified,
    initErrors,
    refreshBeforeUpdate,
    pendingReplacement: false,
  });
  return { ...effect, entry };
}

function withoutHooks(entry: ResourceEntry): ResourceEntry {
  return withEntry(entry, { resourceHooks: {} });
}
