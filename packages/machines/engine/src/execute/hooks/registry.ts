import { StatusError } from '@cairn/wire';
import type { CallbackReference, RegisterHookRequest } from '@cairn/wire';

/** A function of the program around a step. */
interface ResourceHook {
  readonly name: string;
  readonly callback: CallbackReference;
  /** Also run in previews. */
  readonly onDryRun: boolean;
  /** A failure is only a warning. */
  readonly ignoreErrors: boolean;
}

/** A function of the program that says whether a failed call is made again. */
interface ErrorHook {
  readonly name: string;
  readonly callback: CallbackReference;
}

/** The hooks that the program of one operation has registered; all kinds share one space of names [HOOK-1]. */
export class HookRegistry {
  readonly #resourceHooks = new Map<string, ResourceHook>();
  readonly #errorHooks = new Map<string, ErrorHook>();

  get isEmpty(): boolean {
    return this.#resourceHooks.size === 0 && this.#errorHooks.size === 0;
  }

  /** Takes in a hook. Refuses a name that is empty or taken. */
  add(request: RegisterHookRequest): void {
    this.#claim(request.name, 'a resource hook');
    this.#resourceHooks.set(request.name, request);
  }

  /** Takes in an error hook. Refuses as {@link add}. */
  addErrorHook(hook: ErrorHook): void {
    this.#claim(hook.name, 'an error hook');
    this.#errorHooks.set(hook.name, hook);
  }

  resourceHook(name: string): ResourceHook | undefined {
    return this.#resourceHooks.get(name);
  }

  errorHook(name: string): ErrorHook | undefined {
    return this.#errorHooks.get(name);
  }

  #claim(name: string, what: string): void {
    if (name === '') throw new StatusError('INVALID_ARGUMENT', `${what} needs a name`);
    if (this.#resourceHooks.has(name))
      throw new StatusError('INVALID_ARGUMENT', `resource hook already registered for name "${name}"`);
    if (this.#errorHooks.has(name))
      throw new StatusError('INVALID_ARGUMENT', `error hook already registered for name "${name}"`);
  }
}
