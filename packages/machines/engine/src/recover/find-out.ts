import { BugError, isCairnError, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { judgeFound, judgeUpdate, repeats, wayToResolve } from '../decide/in-doubt.js';
import type { Effect } from '../execute/effect.js';
import { questionFailure } from '../execute/failures.js';
import { createObject } from '../execute/handlers/create.js';
import { deleteObject } from '../execute/handlers/delete.js';
import { entryIdentity, stamp } from '../execute/handlers/handler.js';
import type { StepHandlerContext, StepStart } from '../execute/handlers/handler.js';
import { updateObject } from '../execute/handlers/update.js';
import { markSecretOutputs } from '../model/secret-outputs.js';
import { createStep, createReplacement } from '../model/make-step.js';
import type { Cell } from '../model/cell.js';
import { noDiff } from '../model/step.js';
import type { CreateReplacementStep, CreateStep } from '../model/step.js';
import { typeExtrasOf } from '../providers/extras.js';
import { answered, answeredId } from '../providers/provider-answer.js';
import { adopt, adoptFound, takeAsDone } from './adopt.js';
import type { Asking, DoubtFinding, Search } from './finding.js';
import { isThere, lookAt } from './read-object.js';
import type { FoundAgain } from './read-object.js';
import { outputsToTell } from './answered-outputs.js';

/** Finds out the outcome of a step [REC-2]. Never throws, except a BugError. Records nothing. */
export async function findOut(search: Search, context: StepHandlerContext): Promise<DoubtFinding> {
  const { doubt, resolution, noCall } = search;
  const { resource } = doubt;
  const { t } = wayToResolve({ doubt, noCall, resolution, extras: undefined });
  if (t === 'forget' || t === 'not-done') return { t: 'not-done' };
  try {
    const provider = await context.providerOf(resource);
    const extras = await typeExtrasOf(provider, resource.type);
    const asking: Asking = { provider, extras, search, context };
    const way = wayToResolve({ doubt, noCall, resolution, extras });
    switch (way.t) {
      case 'forget':
      case 'not-done':
        return { t: 'not-done' };
      case 'adopt':
        return await askedAgain(adopt(way.id, way.outputs, asking), asking);
      case 'done':
        return await askedAgain(takeAsDone(way.outputs, asking), asking);
      case 'repeat':
        return await repeatCreate(search, way.token, context);
      case 'again':
        return await repeatCall(search, context);
      case 'look-up':
        return await lookFor(way.settleMs, asking);
      case 'read':
        return await look(way.proves, asking);
      case 'ask':
        return {
          t: 'ask',
          why: NO_WAY,
          outputs: await outputsToTell(extras?.reads, provider, doubt),
        };
    }
  } catch (thrown) {
    if (doubt.type === 'creating' && lacksProvider(thrown)) return withoutProvider(search, thrown);
    return { t: 'failed', diagnostic: notFoundOut(resource, thrown) };
  }
}

/** Adds the outputs that an answer must supply to the finding of a refused answer. */
async function askedAgain(
  answer: Promise<DoubtFinding>,
  { provider, extras, search }: Asking,
): Promise<DoubtFinding> {
  const finding = await answer;
  if (finding.t !== 'failed' || finding.outputs !== undefined) return finding;
  return { ...finding, outputs: await outputsToTell(extras?.reads, provider, search.doubt) };
}

const NO_WAY = 'its provider cannot find out';
const NO_PROVIDER = 'its provider is no longer in the state';

function lacksProvider(thrown: unknown): boolean {
  return isCairnError(thrown) && thrown.diagnostics.some(({ code }) => code === 'CAIRN-PROVIDER-REFERENCE');
}

/**
 * Handles a create without a provider: other tools keep a create pending when they remove its provider. No provider is
 * then left to ask, nor to record an object with.
 */
function withoutProvider({ doubt: { resource }, resolution }: Search, thrown: unknown): DoubtFinding {
  if (resolution === undefined) return { t: 'ask', why: NO_PROVIDER };
  const hint =
    'Pass `--not-created`. If the object exists, import it with `cairn import`, or delete it by hand.';
  return { t: 'failed', diagnostic: { ...notFoundOut(resource, thrown), hint } };
}

/** Returns the step that a create in doubt was. It replaces the entry that the state has under its name. */
export function createAgain(
  resource: ResourceEntry,
  cell: Cell | undefined,
): CreateStep | CreateReplacementStep {
  const reason = { t: 'continued' } as const;
  return cell === undefined
    ? createStep(resource, reason)
    : createReplacement(cell, cell.entry, resource, noDiff, reason);
}

async function repeatCreate(
  search: Search,
  token: string | undefined,
  context: StepHandlerContext,
): Promise<DoubtFinding> {
  const { doubt, cell, start } = search;
  const again: StepStart = { ...start, token: token ?? '', progressId: doubt.progressId };
  return endOf(await createObject(createAgain(doubt.resource, cell), { ...context, start: again }));
}

/** Runs an update or a delete to its end. The result is the same whether or not it was complete before. */
async function repeatCall({ step, start }: Search, context: StepHandlerContext): Promise<DoubtFinding> {
  if (step === undefined) return { t: 'not-done' };
  const again = { ...context, start };
  switch (step.kind) {
    case 'update':
      return endOf(await updateObject(step, again));
    case 'delete':
    case 'delete-replaced':
      return endOfDelete(await deleteObject(step, again), context);
    default:
      throw new BugError(`${step.kind} ${step.urn} is not repeated`);
  }
}

/**
 * Returns the finding of a delete. An object that its provider still reports was not deleted; its entry is as the
 * provider reports it.
 */
function endOfDelete(effect: Effect, { report }: StepHandlerContext): DoubtFinding {
  if (effect.t !== 'partial') return endOf(effect);
  report({ ...effect.diagnostic, severity: 'warning' });
  return { t: 'in-part', entry: effect.entry };
}

function endOf(effect: Effect): DoubtFinding {
  switch (effect.t) {
    case 'done':
      return { t: 'done', entry: effect.entry };
    case 'partial':
      return { t: 'done', entry: effect.entry, failed: effect.diagnostic };
    case 'failed':
    case 'in-doubt':
      return { t: 'failed', diagnostic: effect.diagnostic };
  }
}

async function lookFor(settleMs: number, asking: Asking): Promise<DoubtFinding> {
  const { provider, search } = asking;
  const { resource, token } = search.doubt;
  const from = { entry: resource, call: 'lookup', preview: false };
  const answer = await provider.lookup?.({ ...entryIdentity(resource), inputs: resource.inputs, token });
  const { found } = answered(from, answer);
  const judged = judgeFound(
    found.map(({ id }) => ({ id: answeredId(from, id) })),
    search.known,
  );
  switch (judged.t) {
    case 'one':
      return adoptFound(judged.id, asking);
    case 'several':
      return { t: 'ask', why: `several objects match: ${judged.ids.join(', ')}` };
    case 'none':
      return search.looks === 0 ? { t: 'later', afterMs: settleMs } : { t: 'not-done' };
  }
}

/** Reads an object that the step was to change or delete. */
async function look(proves: boolean, { provider, extras, search, context }: Asking): Promise<DoubtFinding> {
  const { doubt, cell } = search;
  const { type, resource } = doubt;
  if (cell === undefined) return { t: 'not-done' };
  const old = cell.entry;
  let found: FoundAgain | undefined;
  try {
    found = await lookAt(provider, old, proves);
  } catch (thrown) {
    if (repeats(type, extras)) return repeatCall(search, context);
    context.report({ ...notFoundOut(resource, thrown), severity: 'warning' });
    return { t: 'ask', why: `its provider cannot read "${old.id}"` };
  }
  if (found === undefined)
    return { t: 'ask', why: ONLY_REPEATS, outputs: await outputsToTell('record', provider, doubt) };
  if (type === 'deleting') return isThere(found) ? { t: 'not-done' } : { t: 'done', entry: undefined };
  const outputs = found.outputs;
  const judged = judgeUpdate(old, resource.inputs, found);
  if (judged === 'gone' || outputs === undefined) return { t: 'gone' };
  if (judged === 'not-done') return { t: 'not-done' };
  const goal = judged === 'done' ? resource : withEntry(old, { inputs: found.inputs ?? old.inputs });
  const entry = withEntry(goal, {
    outputs: markSecretOutputs(outputs, goal),
    refreshBeforeUpdate: found.refreshBeforeUpdate,
    initErrors: found.reasons,
    modified: stamp(context),
  });
  return judged === 'done' ? { t: 'done', entry } : { t: 'in-part', entry };
}

const ONLY_REPEATS =
  'its provider returns what is recorded, and does not tell whether it has read the object';

function notFoundOut(resource: ResourceEntry, thrown: unknown): Diagnostic {
  const { urn } = resource;
  const [found] = questionFailure(urn, 'find out the outcome of', thrown);
  return isCairnError(thrown) ? { ...found, causes: [...(found.causes ?? []), messageOf(thrown)] } : found;
}
