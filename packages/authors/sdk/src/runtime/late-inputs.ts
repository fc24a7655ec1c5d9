import type { Monitor } from '@cairn/wire';
import type { LateArguments } from '../resource/late-arguments.js';
import type { ResourceState } from '../resource/state.js';

/** Feature of an engine that takes inputs of components with their outputs. */
const FEATURE = 'lateInputs';

/**
 * What becomes of arguments of components that are not there when the component is declared. An engine that can take
 * them later gets them with the outputs, and nobody waits. For another one the component waits for them, unless they
 * wait for the component.
 */
export class LateInputs {
  private answer: boolean | Promise<boolean> | undefined;
  private readonly open = new Map<ResourceState, LateArguments>();
  private readonly waits = new Set<() => void>();

  constructor(private readonly monitor: Pick<Monitor, 'supportsFeature'>) {}

  /** Whether the engine takes them later. It is asked once, when the first component has some. */
  get taken(): boolean | Promise<boolean> {
    return (this.answer ??= this.monitor.supportsFeature(FEATURE).then(
      (supported) => (this.answer = supported),
      // An engine that does not answer says so at the registration.
      () => (this.answer = false),
    ));
  }

  /** The arguments are sent with the outputs of the component. */
  defer(component: ResourceState, late: LateArguments): void {
    this.open.set(component, late);
  }

  /** What was deferred, once. */
  take(component: ResourceState): LateArguments | undefined {
    const late = this.open.get(component);
    this.open.delete(component);
    return late;
  }

  /** Those of the arguments that have a value, when all have come or nothing else can happen any more. */
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
        this.waits.delete(go);
        resolve();
      };
      this.waits.add(go);
      void Promise.all(come).then(go);
    });
    return { ...here };
  }

  /** Nothing can happen any more: the component that has waited longest goes on. False: none waits. */
  release(): boolean {
    const [first] = this.waits;
    first?.();
    return first !== undefined;
  }
}
