import type { Urn } from '@cairn/addresses';
import type { CallbackReference, ProgramCallbacks } from '@cairn/wire';
import { invalid } from '../refusal.js';

/** Transforms that the program of one operation has registered, with the way to call them [XFORM-2]. */
export class Transforms {
  readonly #ofResources = new Map<Urn, readonly CallbackReference[]>();
  readonly #ofStack: CallbackReference[] = [];
  readonly #ofInvokes: CallbackReference[] = [];
  /** Settles when the questions before this one have been transformed [XFORM-8]. */
  #invokes: Promise<unknown> = Promise.resolve();

  constructor(readonly callbacks: ProgramCallbacks) {}

  /** Adds a transform for every resource registered from here on. */
  addForStack(callback: CallbackReference): void {
    this.#ofStack.push(reachable(callback));
  }

  /** Adds a transform for every question to a provider from here on. */
  addForInvokes(callback: CallbackReference): void {
    this.#ofInvokes.push(reachable(callback));
  }

  /**
   * Records a resource's own transforms and returns all of them. Those of a remote component also apply to the
   * registration that its constructor makes of it, after that one's own [XFORM-6].
   */
  own(urn: Urn, callbacks: readonly CallbackReference[]): readonly CallbackReference[] {
    const kept = this.#ofResources.get(urn) ?? [];
    if (callbacks.length === 0) return kept;
    const all = [...callbacks.map(reachable), ...kept];
    this.#ofResources.set(urn, all);
    return all;
  }

  /** Returns the transforms of an ancestor. */
  of(urn: Urn): readonly CallbackReference[] {
    return this.#ofResources.get(urn) ?? [];
  }

  get ofStack(): readonly CallbackReference[] {
    return this.#ofStack;
  }

  get ofInvokes(): readonly CallbackReference[] {
    return this.#ofInvokes;
  }

  /** True if no resource can have a transform so far. */
  get none(): boolean {
    return this.#ofStack.length === 0 && this.#ofResources.size === 0;
  }

  /** Runs one question at a time. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#invokes.then(work);
    this.#invokes = turn.catch(() => undefined);
    return turn;
  }
}

function reachable(callback: CallbackReference): CallbackReference {
  if (callback.target === '') throw invalid('the callback of a transform has no target');
  return callback;
}
