import type { ResourceEntry } from '@cairn/state';
import { settledAfter, settledCheck, settling } from '../decide/settled.js';
import type { Answers, Question } from '../decide/verdict.js';
import type { Goal } from '../model/goal.js';
import type { DigestsRequest, SettledDigests } from '../model/request.js';
import { PropertyDigest } from '../model/property-digest.js';
import { providerDigest, settledDigest } from '../model/settled-digest.js';
import { typeExtrasOf } from '../providers/extras.js';
import type { ReadyProvider } from '../providers/ready-provider.js';

/** Options of {@link SettledAnswers}. */
interface SettledOptions extends DigestsRequest {
  /** True for a preview, whose creates and updates settle nothing. */
  readonly preview: boolean;
  providerOf(goal: Goal): Promise<ReadyProvider>;
}

/**
 * Answers checks from the state, for providers whose answers depend on nothing else [DIFF-14]. Digests of an
 * operation are true for ever: they say what a provider answers to certain arguments. So none of them becomes invalid,
 * whatever happens to the state.
 */
export class SettledAnswers {
  readonly #options: SettledOptions;
  /** Digests of providers by reference, then by type of resource. Undefined for those that must be asked. */
  readonly #providers = new Map<string, Map<string, string | undefined>>();
  readonly #digests: PropertyDigest;
  readonly #current = new Set<string>();
  #learned = false;

  constructor(options: SettledOptions) {
    this.#options = options;
    this.#digests = new PropertyDigest(options.key);
  }

  /** Resolves once it is known whether the provider of a resource must be asked. Never rejects. */
  async ready(goal: Goal): Promise<void> {
    if (this.isReady(goal)) return;
    const digest = await this.#providerDigest(goal).catch(() => undefined);
    const { provider = '' } = goal;
    const types = this.#providers.get(provider) ?? new Map<string, string | undefined>();
    this.#providers.set(provider, types.set(typeKey(goal), digest));
  }

  /** Returns true if {@link ready} has nothing to wait for. */
  isReady(goal: Goal): boolean {
    return this.#providers.get(goal.provider ?? '')?.has(typeKey(goal)) === true;
  }

  /** Returns the answers with that to the question. Undefined if the provider must be asked. */
  answer(question: Question, answers: Answers, prior: ResourceEntry | undefined): Answers | undefined {
    const found = settling(question, answers, prior);
    const digest = found && this.#digest(found);
    if (found === undefined || digest === undefined || !this.#options.known.has(digest)) return undefined;
    return settledCheck(answers, found.entry, digest);
  }

  /** Keeps the digest of a registration that was answered, if the next operation need not ask about it. */
  ended(done: Parameters<typeof settledAfter>[0]): void {
    const { settled } = done.answers;
    if (settled !== undefined && done.kinds.length === 1 && done.kinds[0] === 'same') {
      this.#current.add(settled);
      return;
    }
    if (this.#options.preview && done.kinds[0] !== 'same') return;
    const found = settledAfter(done);
    const digest = found && this.#digest(found);
    if (digest === undefined) return;
    this.#current.add(digest);
    this.#learned ||= !this.#options.known.has(digest);
  }

  /**
   * Returns the digests to keep, or `undefined` if they are those that were given. `isComplete`: the program has
   * registered everything, so that no other digest is of use.
   */
  result(isComplete: boolean): SettledDigests | undefined {
    const { known } = this.#options;
    if (isComplete) return this.#learned || this.#current.size < known.size ? this.#current : undefined;
    return this.#learned ? new Set([...known, ...this.#current]) : undefined;
  }

  #digest(found: NonNullable<ReturnType<typeof settling>>): string | undefined {
    const provider = this.#providers.get(found.goal.provider ?? '')?.get(typeKey(found.goal));
    return provider === undefined ? undefined : settledDigest({ ...found, provider }, this.#digests);
  }

  async #providerDigest(goal: Goal): Promise<string | undefined> {
    const provider = await this.#options.providerOf(goal);
    if (provider.unconfigured) return undefined;
    if ((await typeExtrasOf(provider, goal.type))?.compares !== 'arguments') return undefined;
    const { version } = await provider.getPluginInfo();
    // Code without a version may be other code the next time.
    return version === '' ? undefined : providerDigest(version, provider.settings, this.#digests);
  }
}

/** Returns the key of a type of resource. An extension may change what the provider answers. */
function typeKey({ type, extensionRef }: Goal): string {
  return extensionRef === undefined ? type : `${type} ${extensionRef}`;
}
