import type { Urn } from '@cairn/addresses';
import { errorDiagnostic, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import type { ErrorHookRequest, ProgramCallbacks, ResourceHookRequest } from '@cairn/wire';
import { errorHookNames, hookNames, hookOwner, operationOf } from '../../model/hook-moments.js';
import type { HookedOperation, HookedStep, HookPhase } from '../../model/hook-moments.js';
import { errorHookRequest, hookRequest } from './payload.js';
import type { HookRegistry } from './registry.js';

/** Dependencies of {@link HookRunner}. */
interface HookRunnerParts {
  readonly preview: boolean;
  /** Hooks that the program has registered so far. */
  readonly registry: HookRegistry;
  readonly callbacks: ProgramCallbacks;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Called when an after-hook has failed. The effect of its step remains, and the operation has failed [HOOK-6]. */
  readonly onAfterFailed: (diagnostic: Diagnostic) => void;
}

/** Answer of error hooks to a failed call. */
type RetryAnswer =
  | { readonly t: 'retry' }
  | { readonly t: 'stand' }
  /** A hook failed itself: the call is not repeated. */
  | { readonly t: 'broken'; readonly message: string };

/** Component whose step is done and whose outputs the program has not registered yet. */
interface Deferred {
  readonly step: HookedStep;
}

/** Runs the hooks of one operation in order, one after the other [HOOK-3] [HOOK-9]. */
export class HookRunner {
  readonly #deferred = new Map<Urn, Deferred>();

  readonly #parts: HookRunnerParts;

  constructor(parts: HookRunnerParts) {
    this.#parts = parts;
  }

  /** Runs the hooks before a step. Returns the reason why the step must not be taken, if any. */
  async before(step: HookedStep): Promise<Diagnostic | undefined> {
    return this.#run(step, 'before', undefined);
  }

  /** Runs the hooks after a successful step. Never refuses: the operation is notified of a failure. */
  async after(
    step: HookedStep,
    found: { readonly id: string; readonly outputs: PropertyMap } | undefined,
  ): Promise<void> {
    const failure = await this.#run(step, 'after', found);
    if (failure !== undefined) this.#parts.onAfterFailed(failure);
  }

  /** Defers the after-hooks of a component until its outputs are registered [HOOK-7]. */
  defer(step: HookedStep): void {
    if (namesOf(step, 'after').length > 0) this.#deferred.set(step.urn, { step });
  }

  /** Runs the after-hooks of a component with its outputs. Returns undefined if none were deferred. */
  outputs(urn: Urn, outputs: PropertyMap): Promise<void> | undefined {
    const deferred = this.#deferred.get(urn);
    if (deferred === undefined) return undefined;
    this.#deferred.delete(urn);
    return this.after(deferred.step, { id: '', outputs });
  }

  /** Asks every error hook of a step about a failed call. `errors` are newest first, at least one. */
  async askErrorHooks(step: HookedStep, errors: readonly string[]): Promise<RetryAnswer> {
    let request: ErrorHookRequest | undefined;
    let retry = false;
    for (const name of errorHookNames(hookOwner(step))) {
      const hook = this.#parts.registry.errorHook(name);
      if (hook === undefined) return { t: 'broken', message: `error hook "${name}" was not registered` };
      request ??= errorHookRequest(step, errors);
      try {
        const answer = await this.#parts.callbacks.errorHook(hook.callback, request);
        if (answer.error !== '')
          return { t: 'broken', message: `error hook "${name}" failed: ${answer.error}` };
        retry ||= answer.retry;
      } catch (thrown) {
        return { t: 'broken', message: `error hook "${name}" failed: ${messageOf(thrown)}` };
      }
    }
    return { t: retry ? 'retry' : 'stand' };
  }

  warn(step: HookedStep, text: string): void {
    this.#parts.report(warningDiagnostic('CAIRN-HOOK-FAILED', text, { urn: step.urn }));
  }

  async #run(
    step: HookedStep,
    phase: HookPhase,
    found: { readonly id: string; readonly outputs: PropertyMap } | undefined,
  ): Promise<Diagnostic | undefined> {
    let request: ResourceHookRequest | undefined;
    for (const name of namesOf(step, phase)) {
      const hook = this.#parts.registry.resourceHook(name);
      if (hook === undefined) return notRegistered(step, name);
      if (this.#parts.preview && !hook.onDryRun) continue;
      request ??= hookRequest(step, phase, found);
      const error = await this.#call(hook.callback, request);
      if (error === '') continue;
      const text = `${phase} hook "${name}" failed: ${error}`;
      if (hook.ignoreErrors) this.warn(step, text);
      else return errorDiagnostic('CAIRN-HOOK-FAILED', text, { urn: step.urn, hint: HINTS[phase] });
    }
    return undefined;
  }

  async #call(
    callback: Parameters<ProgramCallbacks['resourceHook']>[0],
    request: ResourceHookRequest,
  ): Promise<string> {
    try {
      return (await this.#parts.callbacks.resourceHook(callback, request)).error;
    } catch (thrown) {
      return messageOf(thrown);
    }
  }
}

const HINTS = {
  before: 'Nothing was done to the resource. Correct the hook, or let it ignore errors.',
  after: 'What was done to the resource is recorded. Correct the hook, or let it ignore errors.',
} as const satisfies Record<HookPhase, string>;

function namesOf(step: HookedStep, phase: HookPhase): readonly string[] {
  return hookNames(hookOwner(step), phase, operationOf(step.kind) as HookedOperation);
}

function notRegistered({ urn }: HookedStep, name: string): Diagnostic {
  return errorDiagnostic('CAIRN-HOOK-FAILED', `hook "${name}" was not registered`, {
    urn,
    hint: 'Let the program register the hook, also where it no longer declares the resource.',
  });
}
