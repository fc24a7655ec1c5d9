import { isProviderType, tokenPackage } from '@cairn/addresses';
import type { PendingOperationType, ResourceEntry } from '@cairn/state';
import { equal, equalMaps, getProperty, stripSecretsMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ReadResponse, TypeExtras } from '@cairn/wire';
import type { Doubt, Resolution } from '../model/history.js';

/** Seconds that an object may take to be found, unless its provider says otherwise [REC-2]. */
const SETTLE_SECONDS = 30;

/** What is known about a step in doubt before its provider is asked. */
interface DoubtFacts {
  readonly doubt: Pick<Doubt, 'type' | 'token' | 'progressId'> & {
    readonly resource: Pick<ResourceEntry, 'type' | 'custom' | 'external'>;
  };
  /** The step deletes an entry without a call to its provider. Absent: no. */
  readonly noCall?: boolean | undefined;
  /** What a person said. It wins. */
  readonly resolution: Resolution | undefined;
  /** What the provider promises for the type; undefined: nothing. */
  readonly extras: TypeExtras | undefined;
}

/** How to find out what became of a step. */
type WayToResolve =
  /** Nothing outside can have come of it; it is done again when it is needed. */
  | { readonly t: 'forget' }
  /** A person named the object: it is taken over, if it exists. `outputs`: what the person says of it. */
  | { readonly t: 'adopt'; readonly id: string; readonly outputs: PropertyMap | undefined }
  /** A person said that it was done. */
  | { readonly t: 'done'; readonly outputs: PropertyMap | undefined }
  /** A person said that it was not done. */
  | { readonly t: 'not-done' }
  /** The provider is asked once more for the very same object. */
  | { readonly t: 'repeat'; readonly token: string | undefined; readonly progressId: string | undefined }
  /** The provider is asked for objects that may be the one; when there is none, again after so many milliseconds. */
  | { readonly t: 'look-up'; readonly settleMs: number }
  /** It is an update or a delete that comes to the same end when it runs twice: it is run to its end now. */
  | { readonly t: 'again' }
  /** The object is looked at. `proves`: every answer does; otherwise not one that may repeat the request. */
  | { readonly t: 'read'; readonly proves: boolean }
  /** Only a person can know. */
  | { readonly t: 'ask' };

/**
 * The ways of [REC-2], in their order: what a person said; a token or a name of the work, with which repeating is safe;
 * a look-up; for objects that have an id, a look at them, where somebody looks; a repetition, where that is stated to
 * be harmless; otherwise a question. Nothing is repeated blindly and nothing is forgotten blindly.
 */
export function wayToResolve({ doubt, noCall = false, resolution, extras }: DoubtFacts): WayToResolve {
  const { type, resource, token, progressId } = doubt;
  if (!hasObject(resource) || type === 'reading' || type === 'importing') return { t: 'forget' };
  if (resolution !== undefined && answerFits(type, resolution)) return said(resolution);
  if (type !== 'creating') return noCall ? { t: 'forget' } : wayToJudge(type, extras);
  const usable = extras?.idempotencyToken === undefined || token === '' ? undefined : cutToken(token, extras);
  if (usable !== undefined || progressId !== undefined) return { t: 'repeat', token: usable, progressId };
  if (extras?.lookup !== true) return { t: 'ask' };
  return { t: 'look-up', settleMs: (extras.settleSeconds ?? SETTLE_SECONDS) * 1000 };
}

/**
 * Whether an answer is one to the question that such a step asks: what became of a create, or of a call about an object
 * that was there.
 */
export function answerFits(type: PendingOperationType, answer: Resolution): boolean {
  const aboutCreate = answer === 'not-created' || (typeof answer === 'object' && 'created' in answer);
  return aboutCreate === (type === 'creating');
}

function said(answer: Resolution): WayToResolve {
  if (answer === 'not-created' || answer === 'not-done') return { t: 'not-done' };
  if ('created' in answer) return { t: 'adopt', id: answer.created, outputs: answer.outputs };
  return { t: 'done', outputs: answer.outputs };
}

/**
 * An object that was there: whoever reads it sees what became of it, as far as the provider's answers come from a look.
 */
function wayToJudge(type: 'updating' | 'deleting', extras: TypeExtras | undefined): WayToResolve {
  if (extras?.reads === 'world') return { t: 'read', proves: true };
  if (repeats(type, extras)) return { t: 'again' };
  return extras?.reads === 'record' ? { t: 'ask' } : { t: 'read', proves: false };
}

/**
 * Whether the provider states that a second such call does no harm. What holds data is not deleted on such a statement
 * alone.
 */
export function repeats(type: PendingOperationType, extras: TypeExtras | undefined): boolean {
  if (type === 'updating') return extras?.repeatable?.includes('update') === true;
  return type === 'deleting' && extras?.repeatable?.includes('delete') === true && extras.holdsData !== true;
}

/** The token as far as the provider takes it; undefined when the type takes none. */
export function cutToken(token: string, extras: TypeExtras | undefined): string | undefined {
  if (extras?.idempotencyToken === undefined) return undefined;
  return token.slice(0, extras.idempotencyToken.maxLength ?? token.length);
}

/** Components, provider instances and what the engine serves itself have nothing outside. */
function hasObject({ type, custom, external }: DoubtFacts['doubt']['resource']): boolean {
  return custom && !external && !isProviderType(type) && tokenPackage(type) !== 'pulumi';
}

/** What a look-up comes to. */
type Found =
  | { readonly t: 'one'; readonly id: string }
  | { readonly t: 'none' }
  | { readonly t: 'several'; readonly ids: readonly string[] };

/**
 * Objects that the state has already are not the one: a replacement stands beside its original, which has the same
 * name.
 */
export function judgeFound(found: readonly { readonly id: string }[], known: ReadonlySet<string>): Found {
  const ids = [...new Set(found.map(({ id }) => id))].filter((id) => id !== '' && !known.has(id));
  const [id] = ids;
  if (id === undefined) return { t: 'none' };
  return ids.length === 1 ? { t: 'one', id } : { t: 'several', ids };
}

/**
 * How far an interrupted update came. `mixture`: it must be run again to come to its end; a rollback takes it as done.
 */
type UpdateFound = 'done' | 'not-done' | 'mixture' | 'gone';

/**
 * Holds an object against what it was and what it was to become [REC-2]. Inputs that the provider reports decide; when
 * they are what it was sent, or there are none, outputs do as far as they repeat inputs.
 */
export function judgeUpdate(
  old: Pick<ResourceEntry, 'inputs' | 'outputs'>,
  target: PropertyMap,
  found: Pick<ReadResponse, 'id' | 'inputs' | 'outputs'>,
): UpdateFound {
  if (found.outputs === undefined || found.id === '') return 'gone';
  const outputs = stripSecretsMap(found.outputs);
  const before = { inputs: stripSecretsMap(old.inputs), outputs: stripSecretsMap(old.outputs) };
  const wanted = stripSecretsMap(target);
  const reported = found.inputs && stripSecretsMap(found.inputs);
  if (reported !== undefined && !equalMaps(reported, before.inputs)) {
    return equalMaps(reported, wanted) ? 'done' : 'mixture';
  }
  if (equalMaps(outputs, before.outputs)) return 'not-done';
  const changed = Object.keys({ ...before.inputs, ...wanted }).filter(
    (key) => !equalAt(before.inputs, wanted, key),
  );
  return changed.length > 0 && changed.every((key) => equalAt(outputs, wanted, key)) ? 'done' : 'mixture';
}

function equalAt(a: PropertyMap, b: PropertyMap, key: string): boolean {
  const left = getProperty(a, key);
  const right = getProperty(b, key);
  return left === right || (left !== undefined && right !== undefined && equal(left, right));
}
