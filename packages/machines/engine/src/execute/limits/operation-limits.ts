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

/** What the limits of one operation work with. */
interface OperationLimitsParts {
  readonly counter: CallLimits;
  readonly settings: LimitSettings;
  /** The provider that manages an entry's object. Throws. */
  readonly providerOf: (entry: ResourceEntry) => Promise<ReadyProvider>;
  /** What has this name may be free: tasks that wait for it are to be asked again. */
  readonly unblock: (name: string) => void;
}

/**
 * Limits as one operation meets them: before a task starts it is asked whether its call may be made now, when it starts
 * it takes what the call needs, when it has ended it gives it back. What an operation holds when it ends is given back
 * with it.
 */
export class OperationLimits {
  readonly #held = new Map<string, readonly Need[]>();
  /** What providers declare, by the reference in entries; a promise while they are asked. */
  readonly #declared = new Map<string, ProviderExtras | 'nothing' | 'asked'>();
  readonly #byType = new Map<string, TypeLimits>();
  readonly #tell: (name: string) => void;
  #over = false;

  constructor(private readonly parts: OperationLimitsParts) {
    this.#tell = (name) => parts.unblock(name);
  }

  /** The name of what the call waits for; undefined: it may be made. Asked as often as one likes. */
  blockedBy(call: ProviderCall): string | undefined {
    const limits = this.#limitsOf(call);
    if (typeof limits === 'string') return limits;
    const full = this.parts.counter.full(needsOf(call, limits));
    if (full !== undefined) this.parts.counter.whenFree(full, this.#tell);
    return full;
  }

  /** The task makes the call now; {@link blockedBy} has just let it. */
  begin(task: string, call: ProviderCall): void {
    const limits = this.#limitsOf(call);
    if (typeof limits === 'string' || this.#over) return;
    const needs = needsOf(call, limits);
    this.parts.counter.take(needs);
    this.#held.set(task, needs);
  }

  /** The call of the task is over. Nothing happens when it held nothing. */
  end(task: string): void {
    const needs = this.#held.get(task);
    if (needs === undefined) return;
    this.#held.delete(task);
    this.parts.counter.giveBack(needs);
  }

  /** The operation is over. */
  close(): void {
    this.#over = true;
    this.parts.counter.forget(this.#tell);
    for (const task of [...this.#held.keys()]) this.end(task);
  }

  /** Limits of the call's type; a text while its provider has not said yet what it declares: the name of that. */
  #limitsOf({ type, entry }: ProviderCall): TypeLimits | string {
    const reference = entry.provider ?? '';
    const known = this.#declared.get(reference) ?? this.#ask(reference, entry);
    if (known === 'asked') return declaration(reference);
    const key = `${reference} ${type}`;
    let limits = this.#byType.get(key);
    if (limits === undefined) {
      const declared = known === 'nothing' ? undefined : known;
      limits = typeLimits(tokenPackage(type), type, this.parts.settings, declared);
      this.#byType.set(key, limits);
    }
    return limits;
  }

  /** A provider that cannot be asked declares nothing: the call itself says what is wrong with it. */
  #ask(reference: string, entry: ResourceEntry): 'asked' {
    this.#declared.set(reference, 'asked');
    this.parts
      .providerOf(entry)
      .then(extrasOf)
      .catch(() => undefined)
      .then((extras) => {
        this.#declared.set(reference, extras ?? 'nothing');
        if (!this.#over) this.parts.unblock(declaration(reference));
      })
      .catch(() => undefined);
    return 'asked';
  }
}

function declaration(reference: string): string {
  return `declaration ${reference}`;
}
