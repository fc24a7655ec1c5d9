import { urnName } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { isInitFailed } from '@cairn/wire';
import type { InitFailedError, Provider } from '@cairn/wire';
import type { ContractWatch } from '../../contract/watch.js';
import type { StepKind } from '../../steps/kinds.js';
import type { Step, StepOf } from '../../steps/step.js';
import type { Effect } from '../effect.js';
import { attempts } from '../error-hooks.js';
import { callFailure, explained, initFailure, questionFailure } from '../failures.js';
import type { HookRunner } from '../hook-runner.js';

/** What a handler may use. */
export interface HandlerContext {
  readonly preview: boolean;
  now(): Date;
  /** Provider that manages the entry's object. Throws a CairnError. */
  providerOf(entry: ResourceEntry): Promise<Provider>;
  report(diagnostic: Diagnostic): void;
  /** Holds answers against earlier ones. */
  readonly contract: ContractWatch;
  /** A refresh compares outputs instead of asking the provider. Absent: no. */
  readonly legacyRefreshDiff?: boolean | undefined;
  /** Functions of the program around steps. */
  readonly hooks: HookRunner;
}

/** Carries out steps of one kind. Never throws, except a BugError. Records nothing. */
export type Handler<K extends StepKind> = (step: StepOf<K>, context: HandlerContext) => Promise<Effect>;

/** RFC 3339 text of the present moment, as state keeps it (state.md 1.5). */
export function stamp(context: HandlerContext): string {
  return context.now().toISOString();
}

/**
 * Finds the provider and makes one call that may have an effect, again where error hooks want it. An error before the call
 * means that nothing happened; an error of the call is judged by its code; an init failure is recorded through `partial`.
 */
export async function withProvider(
  step: Step,
  entry: ResourceEntry,
  context: HandlerContext,
  call: (provider: Provider) => Promise<Effect>,
  partial?: (error: InitFailedError) => ResourceEntry,
): Promise<Effect> {
  let provider: Provider;
  try {
    provider = await context.providerOf(entry);
  } catch (thrown) {
    return { t: 'failed', diagnostic: questionFailure(step.urn, 'find the provider of', thrown) };
  }
  const ended = await attempts(step, context.hooks, () => call(provider));
  if (ended.t === 'done') return ended.result;
  const { thrown, because } = ended;
  const effect =
    partial === undefined || !isInitFailed(thrown)
      ? callFailure(step.kind, step.urn, thrown)
      : partialEffect(step, partial, thrown);
  return because === undefined ? effect : explained(effect, step.kind, step.urn, because);
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
    return callFailure(step.kind, step.urn, thrown);
  }
}

/** What every call about an entry's object says. */
export function identity(entry: ResourceEntry): {
  readonly urn: ResourceEntry['urn'];
  readonly name: string;
  readonly type: string;
} {
  return { urn: entry.urn, name: urnName(entry.urn), type: entry.type };
}
