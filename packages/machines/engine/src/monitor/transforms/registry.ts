import type { Urn } from '@cairn/addresses';
import type { CallbackReference, ProgramCallbacks } from '@cairn/wire';
import { invalid } from '../refusal.js';

/** Transforms that the program of one operation has registered, and the way to call them [XFORM-2]. */
export class Transforms {
  readonly #ofResources = new Map<Urn, readonly CallbackReference[]>();
  readonly #ofStack: CallbackReference[] = [];
  readonly #ofInvokes: CallbackReference[] = [];
  /** Ends when the questions before this one have been transformed [XFORM-8]. */
  #invokes: Promise<unknown> = Promise.resolve();

  constructor(readonly callbacks: ProgramCallbacks) {}

  /** For every resource registered from now on. */
  addForStack(callback: CallbackReference): void {
    this.#ofStack.push(reachable(callback));
  }

  /** For every question to a provider from now on. */
  addForInvokes(callback: CallbackReference): void {
    this.#ofInvokes.push(reachable(callback));
  }

  /**
   * Notes a resource's own transforms and gives all of them: those of a remote component also hold for the registration
   * that its constructor makes of it, after that one's own [XFORM-6].
   */
  own(urn: Urn, callbacks: readonly CallbackReference[]): readonly CallbackReference[] {
    const kept = this.#ofResources.get(urn) ?? [];
    if (callbacks.length === 0) return kept;
    const all = [...callbacks.map(reachable), ...kept];
    this.#ofResources.set(urn, all);
    return all;
  }

  /** Of a resource that others are below. */
  of(urn: Urn): readonly CallbackReference[] {
    return this.#ofResources.get(urn) ?? [];
  }

  get ofStack(): readonly CallbackReference[] {
    return this.#ofStack;
  }

  get ofInvokes(): readonly CallbackReference[] {
    return this.#ofInvokes;
  }

  /** No resource can have a transform so far. */
  get none(): boolean {
    return this.#ofStack.length === 0 && this.#ofResources.size === 0;
  }

  /** One question at a time. */
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
