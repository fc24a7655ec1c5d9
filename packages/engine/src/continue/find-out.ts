import { messageOf } from '@cairn/diagnostics';
import { errorDiagnostic, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isInitFailed } from '@cairn/wire';
import type { Provider, ReadResponse } from '@cairn/wire';
import { judgeFound, judgeUpdate, wayToResolve } from '../decide/in-doubt.js';
import { create } from '../execute/handlers/create.js';
import { identity, stamp } from '../execute/handlers/handler.js';
import type { HandlerContext, StepStart } from '../execute/handlers/handler.js';
import { questionFailure } from '../execute/failures.js';
import { answered, answeredFailure, answeredId, answeredProperties } from '../execute/provider-answer.js';
import { markSecretOutputs } from '../execute/secret-outputs.js';
import type { Slot } from '../prior/slot.js';
import { typeExtrasOf } from '../providers/extras.js';
import { create as createStep, createReplacement } from '../steps/make.js';
import { noDiff } from '../steps/step.js';
import type { CreateReplacementStep, CreateStep } from '../steps/step.js';
import type { Doubt, Resolution } from './past-tasks.js';

/** What became of a step in doubt, as far as it could be found out. */
export type Finding =
  /** It took effect: this is what it made or altered; undefined: what it deleted is gone. `failed`: the object is not ready. */
  | {
      readonly t: 'done';
      readonly entry: ResourceEntry | undefined;
      readonly failed?: Diagnostic | undefined;
    }
  /** It did not take effect, and will be done again if it is needed. */
  | { readonly t: 'not-done' }
  /** It took effect in part: what there is now is recorded, and what is missing is done when it is needed. */
  | { readonly t: 'in-part'; readonly entry: ResourceEntry }
  /** What it was to alter is not there any more. */
  | { readonly t: 'gone' }
  /** Its provider cannot say; running it again does no harm. */
  | { readonly t: 'unsaid' }
  /** Nothing was found yet: look again, not before this. */
  | { readonly t: 'later'; readonly afterMs: number }
  /** Only a person knows. */
  | { readonly t: 'ask'; readonly why: string }
  /** Finding out failed: it is still in doubt. */
  | { readonly t: 'failed'; readonly diagnostic: Diagnostic };

/** A step in doubt with what is known about its surroundings. */
export interface Search {
  readonly doubt: Doubt;
  readonly resolution: Resolution | undefined;
  /** Entry that the step was to alter, delete or replace. */
  readonly slot: Slot | undefined;
  /** Ids of the objects of the type that the state knows. */
  readonly known: ReadonlySet<string>;
  /** How often nothing was found. */
  readonly looks: number;
  readonly start: StepStart;
}

/** Finds out what became of a step (changes.md g.5). Never throws, except a BugError. Records nothing. */
export async function findOut(search: Search, context: HandlerContext): Promise<Finding> {
  const { doubt, resolution } = search;
  const { resource } = doubt;
  const { t } = wayToResolve({ doubt, resolution, extras: undefined });
  if (t === 'forget' || t === 'not-done') return { t: 'not-done' };
  try {
    const provider = await context.providerOf(resource);
    const way = wayToResolve({ doubt, resolution, extras: await typeExtrasOf(provider, resource.type) });
    switch (way.t) {
      case 'forget':
      case 'not-done':
        return { t: 'not-done' };
      case 'adopt':
        return await adopt(way.id, provider, search, context);
      case 'repeat':
        return await repeat(search, way.token, context);
      case 'look-up':
        return await lookFor(way.settleMs, provider, search, context);
      case 'read':
        return await look(provider, search, context);
      case 'ask':
        return { t: 'ask', why: 'its provider offers no way to find out' };
    }
  } catch (thrown) {
    return { t: 'failed', diagnostic: notFoundOut(resource, thrown) };
  }
}

/** The step that a create in doubt was: it takes the place of what the state has under its name. */
export function createAgain(
  resource: ResourceEntry,
  slot: Slot | undefined,
): CreateStep | CreateReplacementStep {
  const reason = { t: 'continued' } as const;
  return slot === undefined
    ? createStep(resource, reason)
    : createReplacement(slot, slot.entry, resource, noDiff, reason);
}

async function repeat(search: Search, token: string | undefined, context: HandlerContext): Promise<Finding> {
  const { doubt, slot, start } = search;
  const again: StepStart = { ...start, token: token ?? '', progressId: doubt.progressId };
  const effect = await create(createAgain(doubt.resource, slot), { ...context, start: again });
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

async function lookFor(
  settleMs: number,
  provider: Provider,
  search: Search,
  context: HandlerContext,
): Promise<Finding> {
  const { resource, token } = search.doubt;
  const from = { entry: resource, call: 'lookup', preview: false };
  const answer = await provider.lookup?.({ ...identity(resource), inputs: resource.inputs, token });
  const { found } = answered(from, answer);
  const judged = judgeFound(
    found.map(({ id }) => ({ id: answeredId(from, id) })),
    search.known,
  );
  switch (judged.t) {
    case 'one':
      return adopt(judged.id, provider, search, context);
    case 'several':
      return { t: 'ask', why: `several objects may be the one: ${judged.ids.join(', ')}` };
    case 'none':
      return search.looks === 0 ? { t: 'later', afterMs: settleMs } : { t: 'not-done' };
  }
}

/** Takes over an object as the one that the create made. */
async function adopt(
  id: string,
  provider: Provider,
  { doubt: { resource }, known }: Search,
  context: HandlerContext,
): Promise<Finding> {
  const { urn, inputs } = resource;
  if (known.has(id)) return refused(urn, `the object "${id}" belongs to the stack already`);
  const found = await read(provider, resource, id, inputs);
  if (found.outputs === undefined || found.id === '')
    return refused(urn, `the object "${id}" does not exist`);
  const at = stamp(context);
  const entry = withEntry(resource, {
    id: found.id,
    outputs: markSecretOutputs(found.outputs, inputs, resource.additionalSecretOutputs),
    refreshBeforeUpdate: found.refreshBeforeUpdate,
    initErrors: found.reasons,
    created: at,
    modified: at,
  });
  return { t: 'done', entry };
}

function refused(urn: ResourceEntry['urn'], why: string): Finding {
  const diagnostic = errorDiagnostic(
    'CAIRN-RESOURCE-MISSING',
    `cannot take over what was created for ${urn}: ${why}`,
    {
      urn,
      hint: 'Nothing was changed. Look for the object at the provider and give its id.',
    },
  );
  return { t: 'failed', diagnostic };
}

/** Looks at an object that the step was to alter or delete. What cannot be looked at is done again. */
async function look(
  provider: Provider,
  { doubt: { type, resource }, slot }: Search,
  context: HandlerContext,
): Promise<Finding> {
  if (slot === undefined) return { t: 'not-done' };
  const old = slot.entry;
  let found: FoundAgain;
  try {
    found = await read(provider, old, old.id, old.inputs, old.outputs);
  } catch (thrown) {
    context.report({ ...notFoundOut(resource, thrown), severity: 'warning' });
    return { t: 'unsaid' };
  }
  if (type === 'deleting') return isThere(found) ? { t: 'not-done' } : { t: 'done', entry: undefined };
  const outputs = found.outputs;
  const judged = judgeUpdate(old, resource.inputs, found);
  if (judged === 'gone' || outputs === undefined) return { t: 'gone' };
  if (judged === 'not-done') return { t: 'not-done' };
  const goal = judged === 'done' ? resource : withEntry(old, { inputs: found.inputs ?? old.inputs });
  const entry = withEntry(goal, {
    outputs: markSecretOutputs(outputs, goal.inputs, goal.additionalSecretOutputs),
    refreshBeforeUpdate: found.refreshBeforeUpdate,
    initErrors: found.reasons,
    modified: stamp(context),
  });
  return judged === 'done' ? { t: 'done', entry } : { t: 'in-part', entry };
}

function isThere({ id, outputs }: FoundAgain): boolean {
  return outputs !== undefined && id !== '';
}

type FoundAgain = ReadResponse & { readonly reasons: readonly string[] };

async function read(
  provider: Provider,
  entry: ResourceEntry,
  id: string,
  inputs: ResourceEntry['inputs'],
  state: ResourceEntry['outputs'] = inputs,
): Promise<FoundAgain> {
  const from = { entry, call: 'read', preview: false };
  const request = { ...identity(entry), id, inputs, state, timeoutSeconds: entry.customTimeouts.read };
  try {
    const answer = answered(from, await provider.read(request));
    if (answer.outputs === undefined || answer.id === '') return { ...answer, reasons: [] };
    return {
      ...answer,
      id: answeredId(from, answer.id),
      outputs: answeredProperties(from, answer.outputs, 'outputs'),
      reasons: [],
    };
  } catch (thrown) {
    if (!isInitFailed(thrown)) throw thrown;
    const { reasons, ...left } = answeredFailure(from, thrown);
    return { ...left, id: left.id === '' ? id : left.id, reasons };
  }
}

function notFoundOut(resource: ResourceEntry, thrown: unknown): Diagnostic {
  const { urn } = resource;
  const found = questionFailure(urn, 'find out what became of', thrown);
  return isCairnError(thrown) ? { ...found, causes: [...(found.causes ?? []), messageOf(thrown)] } : found;
}
