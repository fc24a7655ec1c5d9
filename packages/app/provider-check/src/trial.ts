import type { PropertyMap } from '@cairn/values';
import type { ResourceIdentity, TypeExtras } from '@cairn/wire';
import { messageOf } from '@cairn/diagnostics';
import { isProviderError } from '@cairn/wire';
import { identityOf } from './bench.js';
import type { Bench, Compared, TestObject } from './bench.js';
import { asInputs } from './plan.js';
import type { PlanInputs, ResourceTest } from './plan.js';
import { broken, notTried } from './report.js';
import type { Finding } from './report.js';

/** One resource on its way through all trials. */
export class Trial {
  /** The object in the form of its present state, if it exists. */
  object: TestObject | undefined;
  /** True if responses to reads come from the object; `undefined` if no trial has shown it. */
  looks: boolean | undefined;
  readonly findings: Finding[] = [];
  readonly about: ResourceIdentity;
  /** Further objects that were made, to be deleted in the end. */
  readonly strays: TestObject[] = [];
  /** Answers about the object before it was deleted. */
  readonly compared: Compared[] = [];
  readonly #secrets: ReadonlySet<string>;

  constructor(
    public bench: Bench,
    readonly plan: ResourceTest,
    secrets: ReadonlySet<string>,
    /** Opens another instance, configured like the first. */
    readonly open: () => Promise<Bench>,
    readonly runCommand: (command: string, object: TestObject) => Promise<void>,
  ) {
    this.#secrets = secrets;
    this.about = identityOf(plan.name, plan.type);
  }

  get promises(): TypeExtras {
    return this.bench.promises(this.plan.type);
  }

  inputs(given: PlanInputs): PropertyMap {
    return asInputs(given, this.#secrets);
  }

  /** Returns the text without the values of secret inputs. */
  masked(text: string): string {
    const { inputs, changes, invalid, fails, interrupt } = this.plan;
    const given = [inputs, ...changes.map((each) => each.inputs), invalid, fails, interrupt?.inputs];
    const values = given.flatMap((each) =>
      Object.entries(each ?? {}).flatMap(([key, value]) =>
        this.#secrets.has(key) && typeof value === 'string' && value.length > 2 ? [value] : [],
      ),
    );
    return values.reduce((shown, value) => shown.replaceAll(value, '[secret]'), text);
  }

  note(...findings: readonly Finding[]): void {
    this.findings.push(...findings.map((each) => ({ ...each, detail: this.masked(each.detail) })));
  }

  /** Tries a promise. A failure breaks it; the result is `undefined` then. */
  async attempt<T>(promise: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.note(broken(promise, failureText(error)));
      return undefined;
    }
  }

  /** Tries a promise about the existing object. */
  async onObject(promise: string, work: (object: TestObject) => Promise<void>): Promise<void> {
    const { object } = this;
    if (object === undefined) this.note(notTried(promise, 'there is no object'));
    else await this.attempt(promise, () => work(object));
  }
}

/** Returns an error of a provider with its code, which tells whether something was done. */
export function failureText(error: unknown): string {
  return isProviderError(error) ? `${error.code}: ${error.message}` : messageOf(error);
}
