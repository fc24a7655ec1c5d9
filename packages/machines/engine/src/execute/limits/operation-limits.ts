import { tokenPackage } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { ProviderExtras } from '@cairn/wire';
import type { LimitSettings } from '../../model/request.js';
import type { CallLimits } from '../../ports.js';
import type { Need } from '../../ports.js';
import { extrasOf } from '../../providers/extras.js';
import type { ReadyProvider } from '../../providers/ready-provider.js';
import { typeLimits } from './limit-settings.js';
import type { TypeLimits } from './limit-settings.js';
import { needsOf } from './needs.js';
import type { ProviderCall } from './provider-call.js';

/** Dependencies of {@link OperationLimits}. */
interface OperationLimitsParts {
  readonly counter: CallLimits;
  readonly settings: LimitSettings;
  /** Returns the provider that manages an entry's object. Throws. */
  readonly providerOf: (entry: ResourceEntry) => Promise<ReadyProvider>;
  /** Called when the resource of this name may be free: tasks that wait for it must be checked again. */
  readonly unblock: (name: string) => void;
}

/**
 * Limits of one operation. Before a task starts, it checks whether its call may be made now. When it starts, it takes
 * the needs of the call. When it has ended, it returns them. An operation that ends returns everything that it still
 * has.
 */
export class OperationLimits {
  readonly #held = new Map<string, readonly Need[]>();
  /** Declarations of providers, by the reference in entries. `asked` while a provider is being asked. */
  readonly #declared = new Map<string, ProviderExtras | 'nothing' | 'asked'>();
  /** Limits by the reference in entries, then by type. */
  readonly #byType = new Map<string, Map<string, TypeLimits>>();
  /** Needs of calls of types without mutual exclusion, which are those of each call. */
  readonly #needs = new Map<TypeLimits, readonly Need[]>();
  readonly #tell: (name: string) => void;
  #over = false;

  readonly #parts: OperationLimitsParts;

  constructor(parts: OperationLimitsParts) {
    this.#parts = parts;

    this.#tell = (name) => parts.unblock(name);
  }

  /**
   * Returns the name of the need that the call waits for. Undefined if the call may be made. May be called any number
   * of times.
   */
  blockedBy(call: ProviderCall): string | undefined {
    const limits = this.#limitsOf(call);
    if (typeof limits === 'string') return limits;
    const full = this.#parts.counter.full(this.#needsOf(call, limits));
    if (full !== undefined) this.#parts.counter.whenFree(full, this.#tell);
    return full;
  }

  /** Takes the needs of the task's call, which {@link blockedBy} has just permitted. */
  begin(task: string, call: ProviderCall): void {
    const limits = this.#limitsOf(call);
    if (typeof limits === 'string' || this.#over) return;
    const needs = this.#needsOf(call, limits);
    this.#parts.counter.take(needs);
    this.#held.set(task, needs);
  }

  /** Returns the needs of the task's call. Does nothing if it has none. */
  end(task: string): void {
    const needs = this.#held.get(task);
    if (needs === undefined) return;
    this.#held.delete(task);
    this.#parts.counter.giveBack(needs);
  }

  /** Ends the limits with the operation. */
  close(): void {
    this.#over = true;
    this.#parts.counter.forget(this.#tell);
    for (const task of [...this.#held.keys()]) this.end(task);
  }

  #needsOf(call: ProviderCall, limits: TypeLimits): readonly Need[] {
    if (limits.exclusive.length > 0) return needsOf(call, limits);
    let needs = this.#needs.get(limits);
    if (needs === undefined) this.#needs.set(limits, (needs = needsOf(call, limits)));
    return needs;
  }

  /**
   * Returns the limits of the call's type. While its provider has not declared its limits yet, returns the name of that
   * declaration.
   */
  #limitsOf({ type, entry }: ProviderCall): TypeLimits | string {
    const reference = entry.provider ?? '';
    const known = this.#declared.get(reference) ?? this.#ask(reference, entry);
    if (known === 'asked') return declaration(reference);
    const types = this.#byType.get(reference) ?? new Map<string, TypeLimits>();
    let limits = types.get(type);
    if (limits === undefined) {
      const declared = known === 'nothing' ? undefined : known;
      limits = typeLimits(tokenPackage(type), type, this.#parts.settings, declared);
      this.#byType.set(reference, types.set(type, limits));
    }
    return limits;
  }

  /**
   * Asks for the declaration. A provider that cannot be asked declares nothing: the call itself will report its fault.
   */
  #ask(reference: string, entry: ResourceEntry): 'asked' {
    this.#declared.set(reference, 'asked');
    this.#parts
      .providerOf(entry)
      .then(extrasOf)
      .catch(() => undefined)
      .then((extras) => {
        this.#declared.set(reference, extras ?? 'nothing');
        if (!this.#over) this.#parts.unblock(declaration(reference));
      })
      .catch(() => undefined);
    return 'asked';
  }
}

function declaration(reference: string): string {
  return `declaration ${reference}`;
}
