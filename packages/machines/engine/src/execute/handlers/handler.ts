import { urnName } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { utcTime } from '@cairn/state';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isInitFailed } from '@cairn/wire';
import type { InitFailedError } from '@cairn/wire';
import type { ContractWatch } from '../../contract/watch.js';
import type { ClaimingStep } from '../../model/claims.js';
import type { StepKind } from '../../model/step-kinds.js';
import type { Step, StepOf } from '../../model/step.js';
import type { ReadyProvider } from '../../providers/ready-provider.js';
import { done } from '../effect.js';
import type { Effect } from '../effect.js';
import {
  callFailure,
  explained,
  initFailure,
  questionFailure,
  viewFailure,
  withViewCauses,
} from '../failures.js';
import { attempts, failedCall } from '../hooks/error-hooks.js';
import type { HookRunner } from '../hooks/hook-runner.js';
import type { OwnedViews, ViewFields } from '../views/owned-views.js';
import type { ViewChange } from '../views/view-changes.js';

/** Context of a handler. */
export interface StepHandlerContext {
  readonly preview: boolean;
  now(): Date;
  /** Returns the provider that manages the entry's object. Throws a CairnError. */
  providerOf(entry: ResourceEntry): Promise<ReadyProvider>;
  report(diagnostic: Diagnostic): void;
  /** Compares answers with earlier ones. */
  readonly contract: ContractWatch;
  /** True if a refresh compares outputs instead of asking the provider. Defaults to false. */
  readonly legacyRefreshDiff?: boolean | undefined;
  /** Functions of the program that run before and after steps. */
  readonly hooks: HookRunner;
  /** Views that providers publish. */
  readonly views: OwnedViews;
  /** Returns true if providers were asked to end their work. By default they were not. */
  readonly cancelled?: (() => boolean) | undefined;
  /** Identity of the step that is carried out. Undefined for questions before a step. */
  readonly start?: StepStart | undefined;
}

/** Identifies a call across processes, so that a later process can make it again. */
export interface StepStart {
  /** Idempotency token. */
  readonly token: string;
  /** Provider's name of its earlier work. Undefined if the work begins. */
  readonly progressId: string | undefined;
  /** Stores the provider's name of the work. Durable when resolved. */
  note(id: string): Promise<void>;
}

/** Carries out steps of one kind. Never throws, except a BugError. Records nothing. */
export type StepHandler<K extends StepKind> = (
  step: StepOf<K>,
  context: StepHandlerContext,
) => Promise<Effect>;

/** Returns the present time as RFC 3339 text, as state keeps it [STATE-2]. */
export function stamp(context: StepHandlerContext): string {
  return utcTime(context.now());
}

/** Returns the entry of an object that was just made or taken over [STATE-2]. */
export function createdNow(
  entry: ResourceEntry,
  context: StepHandlerContext,
  changes: Partial<ResourceEntry> = {},
): ResourceEntry {
  const at = stamp(context);
  return withEntry(entry, { ...changes, created: at, modified: at });
}

/**
 * Finds the provider and makes one call with a possible effect. Error hooks may ask to repeat it. An error before the
 * call means that nothing happened. An error of the call is judged by its code. `partial` makes the record of an init
 * failure.
 */
export async function withProvider(
  step: Step,
  entry: ResourceEntry,
  context: StepHandlerContext,
  call: (provider: ReadyProvider, views: ViewFields) => Promise<Effect>,
  partial?: (error: InitFailedError) => ResourceEntry,
): Promise<Effect> {
  let provider: ReadyProvider;
  try {
    provider = await context.providerOf(entry);
  } catch (thrown) {
    const [diagnostic, ...also] = questionFailure(step.urn, 'find the provider of', thrown);
    return { t: 'failed', diagnostic, also };
  }
  let changes: readonly ViewChange[] = [];
  const cancelled = (): boolean => context.cancelled?.() === true;
  const ended = await attempts<Effect>(step, context.hooks, cancelled, async () => {
    const views = context.views.open(step);
    changes = views.changes;
    try {
      return { t: 'done', result: await call(provider, views.fields) };
    } catch (thrown) {
      return failedCall(thrown);
    } finally {
      views.close();
    }
  });
  if (ended.t === 'done') return withViews(step, ended.result, changes);
  const { thrown, because } = ended;
  const effect =
    partial === undefined || !isInitFailed(thrown)
      ? callFailure(step.kind, step.urn, thrown, cancelled())
      : partialEffect(step, partial, thrown);
  return withViews(
    step,
    because === undefined ? effect : explained(effect, step.kind, step.urn, because),
    changes,
  );
}

/**
 * Returns the effect of a create or an update. Its entry is recorded even if the provider's answer breaks its contract.
 */
export function heldToContract(
  step: ClaimingStep,
  entry: ResourceEntry,
  provider: ReadyProvider,
  { contract }: StepHandlerContext,
): Effect {
  const broken = contract.applied(step, entry, provider.answersPreviews);
  return broken === undefined ? done(entry) : { t: 'partial', entry, diagnostic: broken };
}

/**
 * Returns the effect with the changes of the views. A failed view makes the step fail [VIEW-3]. If the step itself
 * failed, its diagnostic lists the failed views as causes.
 */
function withViews(step: Step, effect: Effect, changes: readonly ViewChange[]): Effect {
  const failed = changes.filter(({ error }) => error !== '');
  if (effect.t === 'failed' || effect.t === 'in-doubt') {
    return failed.length === 0
      ? effect
      : { ...effect, diagnostic: withViewCauses(effect.diagnostic, failed), views: failed };
  }
  if (changes.length === 0) return effect;
  if (effect.t === 'partial' || failed.length === 0) return { ...effect, views: changes };
  const diagnostic = viewFailure(step.kind, step.urn, failed);
  return effect.entry === undefined
    ? { t: 'failed', diagnostic, views: failed }
    : { t: 'partial', entry: effect.entry, diagnostic, views: changes };
}

function partialEffect(
  step: Step,
  partial: (error: InitFailedError) => ResourceEntry,
  error: InitFailedError,
): Effect {
  try {
    return {
      t: 'partial',
      entry: partial(error),
      diagnostic: initFailure(step.kind, step.urn, error, error.reasons),
    };
  } catch (thrown) {
    return callFailure(step.kind, step.urn, thrown, false);
  }
}

/** Returns the fields that every call about an entry's object contains. */
export function entryIdentity(entry: ResourceEntry): {
  readonly urn: ResourceEntry['urn'];
  readonly name: string;
  readonly type: string;
} {
  return { urn: entry.urn, name: urnName(entry.urn), type: entry.type };
}
