import type { Monitor } from '@cairn/wire';
import type { LateArguments } from '../resource/late-arguments.js';
import type { ResourceState } from '../resource/state.js';

/** Feature of an engine that accepts inputs of components with their outputs. */
const FEATURE = 'lateInputs';

/**
 * Handles arguments of components that are pending at the declaration. An engine with the feature gets them with the
 * outputs, without a wait. For any other engine the component waits for them, unless they wait for the component.
 */
export class LateInputs {
  #answer: boolean | Promise<boolean> | undefined;
  readonly #open = new Map<ResourceState, LateArguments>();
  readonly #waits = new Set<() => void>();
  readonly #monitor: Pick<Monitor, 'supportsFeature'>;

  constructor(monitor: Pick<Monitor, 'supportsFeature'>) {
    this.#monitor = monitor;
  }

  /** True if the engine accepts them later. The engine is asked once, when the first component has some. */
  get taken(): boolean | Promise<boolean> {
    return (this.#answer ??= this.#monitor.supportsFeature(FEATURE).then(
      (supported) => (this.#answer = supported),
      // An engine that does not answer fails the registration.
      () => (this.#answer = false),
    ));
  }

  /** Defers the arguments, which are sent with the outputs of the component. */
  defer(component: ResourceState, late: LateArguments): void {
    this.#open.set(component, late);
  }

  /** Returns the deferred arguments, once. */
  take(component: ResourceState): LateArguments | undefined {
    const late = this.#open.get(component);
    this.#open.delete(component);
    return late;
  }

  /** Returns the arguments that have a value, when all are known or nothing else can happen. */
  async arrived({ given, values }: LateArguments): Promise<object> {
    const here: Record<string, unknown> = {};
    const come = [...values].map(([key, value]) =>
      value.then(
        (found) => {
          if (found !== undefined) here[key] = given[key];
        },
        () => {},
      ),
    );
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.#waits.delete(go);
        resolve();
      };
      this.#waits.add(go);
      void Promise.all(come).then(go);
    });
    return { ...here };
  }

  /**
   * Lets the component continue that has waited longest, because nothing else can happen. Returns false if none waits.
   */
  release(): boolean {
    const [first] = this.#waits;
    first?.();
    return first !== undefined;
  }
}
