import { isProviderType, tokenPackage } from '@cairn/addresses';
import type { PendingOperationType, ResourceEntry } from '@cairn/state';
import { equal, equalMaps, getProperty, stripSecretsMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { ReadResponse, TypeExtras } from '@cairn/wire';
import type { Doubt, DoubtResolution } from '../model/history.js';

/** Seconds until an object must be found, unless its provider specifies otherwise [REC-2]. */
const SETTLE_SECONDS = 30;

/** Facts about a step in doubt before Cairn asks its provider. */
interface DoubtFacts {
  readonly doubt: Pick<Doubt, 'type' | 'token' | 'progressId'> & {
    readonly resource: Pick<ResourceEntry, 'type' | 'custom' | 'external'>;
  };
  /** True if the step deletes an entry without a call to its provider. Defaults to false. */
  readonly noCall?: boolean | undefined;
  /** Answer of a person. It takes precedence. */
  readonly resolution: DoubtResolution | undefined;
  /** Provider's promises for the type. Undefined if it makes none. */
  readonly extras: TypeExtras | undefined;
}

/** Way to find out the outcome of a step. */
type WayToResolve =
  /** It cannot have had an effect outside. It is done again when it is needed. */
  | { readonly t: 'forget' }
  /** A person named the object: it is taken over, if it exists. `outputs` come from that person. */
  | { readonly t: 'adopt'; readonly id: string; readonly outputs: PropertyMap | undefined }
  /** A person answered that it was done. */
  | { readonly t: 'done'; readonly outputs: PropertyMap | undefined }
  /** A person answered that it was not done. */
  | { readonly t: 'not-done' }
  /** Asks the provider once more for the same object. */
  | { readonly t: 'repeat'; readonly token: string | undefined; readonly progressId: string | undefined }
  /**
   * Asks the provider for objects that may be the one. If there is none, Cairn asks again after `settleMs`
   * milliseconds.
   */
  | { readonly t: 'look-up'; readonly settleMs: number }
  /** Runs it to its end now: an update or a delete that has the same result if it runs twice. */
  | { readonly t: 'again' }
  /** Reads the object. `proves`: every answer is a proof. Otherwise an answer that may repeat the request is none. */
  | { readonly t: 'read'; readonly proves: boolean }
  /** Asks a person, the only one who can know. */
  | { readonly t: 'ask' };

/**
 * Chooses the way of [REC-2], in this order:
 * - an answer of a person
 * - a token or a name of the work, which makes repeating safe
 * - a look-up
 * - for objects that have an id, a read, if the provider looks at the object
 * - a repetition, if the provider states that it is harmless
 * - otherwise a question
 *
 * Nothing is repeated blindly and nothing is forgotten blindly.
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
 * Returns true if an answer fits the question of such a step. The question is about a create, or about a call on an
 * existing object.
 */
export function answerFits(type: PendingOperationType, answer: DoubtResolution): boolean {
  const aboutCreate = answer === 'not-created' || (typeof answer === 'object' && 'created' in answer);
  return aboutCreate === (type === 'creating');
}

function said(answer: DoubtResolution): WayToResolve {
  if (answer === 'not-created' || answer === 'not-done') return { t: 'not-done' };
  if ('created' in answer) return { t: 'adopt', id: answer.created, outputs: answer.outputs };
  return { t: 'done', outputs: answer.outputs };
}

/**
 * Chooses the way for an object that existed. Reading it shows the outcome if the provider's answers come from a look
 * at the object.
 */
function wayToJudge(type: 'updating' | 'deleting', extras: TypeExtras | undefined): WayToResolve {
  if (extras?.reads === 'world') return { t: 'read', proves: true };
  if (repeats(type, extras)) return { t: 'again' };
  return extras?.reads === 'record' ? { t: 'ask' } : { t: 'read', proves: false };
}

/**
 * Returns true if the provider states that a second such call does no harm. For deletes of objects that hold data, this
 * statement alone is not enough.
 */
export function repeats(type: PendingOperationType, extras: TypeExtras | undefined): boolean {
  if (type === 'updating') return extras?.repeatable?.includes('update') === true;
  return type === 'deleting' && extras?.repeatable?.includes('delete') === true && extras.holdsData !== true;
}

/** Returns the token cut to the length that the provider accepts. Undefined if the type accepts none. */
export function cutToken(token: string, extras: TypeExtras | undefined): string | undefined {
  if (extras?.idempotencyToken === undefined) return undefined;
  return token.slice(0, extras.idempotencyToken.maxLength ?? token.length);
}

/** Returns false for components, provider instances and the engine's own resources, which have no object outside. */
function hasObject({ type, custom, external }: DoubtFacts['doubt']['resource']): boolean {
  return custom && !external && !isProviderType(type) && tokenPackage(type) !== 'pulumi';
}

/** Result of a look-up. */
type Found =
  | { readonly t: 'one'; readonly id: string }
  | { readonly t: 'none' }
  | { readonly t: 'several'; readonly ids: readonly string[] };

/**
 * Judges found objects. Objects that the state already contains are ruled out: a replacement exists beside its
 * original, which has the same name.
 */
export function judgeFound(found: readonly { readonly id: string }[], known: ReadonlySet<string>): Found {
  const ids = [...new Set(found.map(({ id }) => id))].filter((id) => id !== '' && !known.has(id));
  const [id] = ids;
  if (id === undefined) return { t: 'none' };
  return ids.length === 1 ? { t: 'one', id } : { t: 'several', ids };
}

/** Progress of an interrupted update. `mixture`: it must run again to complete. A rollback treats it as done. */
type UpdateFound = 'done' | 'not-done' | 'mixture' | 'gone';

/**
 * Compares an object with its state before and after the update [REC-2]. Inputs that the provider reports decide. If
 * they equal the old ones (which it was sent), or there are none, the outputs that repeat inputs decide.
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
