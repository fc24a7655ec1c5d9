import { isProviderType, makeProviderReference } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { Goal } from '../model/goal.js';
import type {
  PostRegistration,
  ReadResult,
  RegisterResult,
  Registration,
  Reply,
} from '../model/registration.js';

/** A resource that code may refer to. */
export interface KnownResource {
  /** Present URN, with aliases followed. */
  readonly urn: Urn;
  /** Empty for components, and before the object exists. */
  readonly id: string;
  readonly outputs: PropertyMap;
  /** Reference to the provider; `undefined` if the resource is not one. */
  readonly provider: ProviderReference | undefined;
  /** True if the resource failed or was left out: it may have more outputs in a later run. */
  readonly incomplete: boolean;
}

interface Waiter {
  readonly resolve: (known: KnownResource) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Resources registered in this run, for sources that wait for them [SNIP-2]. Custom ones are known from their
 * registration on, components from their outputs on, under their present and their former URN. When every remaining
 * source waits, no source can register the resources they wait for, and the waits fail.
 */
export class KnownResources {
  readonly #known = new Map<Urn, KnownResource>();
  readonly #waiting = new Map<Urn, Waiter[]>();
  /** Former URN of components whose outputs are not registered yet. */
  readonly #formerly = new Map<Urn, Urn>();
  /** Number of sources that neither wait nor have ended. */
  #busy = 0;

  /** Adds a source of registrations: the program, or a snippet. */
  begin(): void {
    this.#busy += 1;
  }

  /** Records that a source registers nothing more. */
  end(): void {
    this.#busy -= 1;
    this.#giveUp();
  }

  /** Returns the resource as soon as it is known. For one source at a time. */
  wait(urn: Urn): Promise<KnownResource> {
    const known = this.#known.get(urn);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise<KnownResource>((resolve, reject) => {
      const waiters = this.#waiting.get(urn) ?? [];
      this.#waiting.set(urn, [...waiters, { resolve, reject }]);
      this.#busy -= 1;
      this.#giveUp();
    });
  }

  /** Observes the answers to registrations on their way. */
  watch(post: PostRegistration): PostRegistration {
    return (registration) => post(this.#watched(registration));
  }

  #watched(registration: Registration): Registration {
    switch (registration.t) {
      case 'register': {
        const { goal, reply } = registration;
        return { ...registration, reply: observed(reply, (result) => this.#registered(goal, result)) };
      }
      case 'read': {
        const noted = ({ urn, id, outputs, oldUrn }: ReadResult) =>
          this.#tell({ urn, id, outputs, provider: undefined, incomplete: false }, oldUrn);
        return { ...registration, reply: observed(registration.reply, noted) };
      }
      case 'outputs': {
        const { urn, outputs, reply } = registration;
        const known = { urn, id: '', outputs, provider: undefined, incomplete: false };
        return { ...registration, reply: observed(reply, () => this.#tell(known, this.#formerly.get(urn))) };
      }
    }
  }

  #registered(goal: Goal, { id, outputs, oldUrn, result, unknown }: RegisterResult): void {
    const incomplete = result !== 'success' || unknown;
    if (!goal.custom && !incomplete) {
      if (oldUrn !== undefined) this.#formerly.set(goal.urn, oldUrn);
      return;
    }
    const provider = isProviderType(goal.type) ? makeProviderReference(goal.urn, id) : undefined;
    this.#tell({ urn: goal.urn, id, outputs, provider, incomplete }, oldUrn);
  }

  #tell(known: KnownResource, oldUrn: Urn | undefined): void {
    for (const urn of new Set([known.urn, oldUrn ?? known.urn])) {
      this.#known.set(urn, known);
      const waiters = this.#waiting.get(urn) ?? [];
      this.#waiting.delete(urn);
      this.#busy += waiters.length;
      for (const waiter of waiters) waiter.resolve(known);
    }
  }

  #giveUp(): void {
    if (this.#busy > 0) return;
    for (const [urn, waiters] of this.#waiting) {
      for (const waiter of waiters) waiter.reject(unregistered(urn));
    }
    this.#waiting.clear();
  }
}

function unregistered(urn: Urn): Error {
  return cairnError('CAIRN-SNIPPET', `no source registered this URN: ${urn}`, {
    urn,
    hint: 'Register the resource in the program or in a snippet, or remove it from the references.',
  });
}

/** Returns a resource of the state, for snippets that run alone [SNIP-5]. */
export function knownEntry(entry: ResourceEntry): KnownResource {
  const { urn, id, outputs } = entry;
  const provider = isProviderType(entry.type) ? makeProviderReference(urn, id) : undefined;
  return { urn, id, outputs, provider, incomplete: false };
}

/** Returns the reply with a call of `note` before each answer. */
function observed<T>(reply: Reply<T>, note: (answer: T) => void): Reply<T> {
  return {
    refuse: (error) => reply.refuse(error),
    resolve: (answer) => {
      note(answer);
      reply.resolve(answer);
    },
  };
}
