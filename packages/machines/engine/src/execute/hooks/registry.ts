import { StatusError } from '@cairn/wire';
import type { CallbackReference, RegisterHookRequest } from '@cairn/wire';

/** Function of the program that runs before or after a step. */
interface ResourceHook {
  readonly name: string;
  readonly callback: CallbackReference;
  /** True if it also runs in previews. */
  readonly onDryRun: boolean;
  /** True if a failure is only a warning. */
  readonly ignoreErrors: boolean;
}

/** Function of the program that decides whether a failed call is repeated. */
interface ErrorHook {
  readonly name: string;
  readonly callback: CallbackReference;
}

/** Hooks that the program of one operation has registered. All kinds share one namespace [HOOK-1]. */
export class HookRegistry {
  readonly #resourceHooks = new Map<string, ResourceHook>();
  readonly #errorHooks = new Map<string, ErrorHook>();

  get isEmpty(): boolean {
    return this.#resourceHooks.size === 0 && this.#errorHooks.size === 0;
  }

  /** Adds a hook. Refuses an empty or duplicate name. */
  add(request: RegisterHookRequest): void {
    this.#claim(request.name, 'a resource hook');
    this.#resourceHooks.set(request.name, request);
  }

  /** Adds an error hook. Refuses the same names as {@link add}. */
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
