import { cairnError, messageOf } from '@cairn/diagnostics';
import { propertyMap, secret } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import { parse } from 'yaml';

/** Inputs as a person writes them. */
export type PlanInputs = Readonly<Record<string, PropertyValue>>;

/** Values with which a provider is tested. A person provides them, because Cairn cannot know them. */
export interface TestPlan {
  readonly config: PlanInputs;
  readonly resources: readonly ResourceTest[];
  readonly functions: readonly { readonly token: string; readonly inputs: PlanInputs }[];
}

/** One object that is made, changed and deleted. */
export interface ResourceTest {
  readonly type: string;
  readonly name: string;
  readonly inputs: PlanInputs;
  /** Inputs that are sent as secrets and never shown. */
  readonly secrets: readonly string[];
  readonly changes: readonly PlannedChange[];
  /**
   * A command that changes the object behind the provider's back; it gets CAIRN_ID and outputs as CAIRN_OUTPUT_NAME.
   */
  readonly drift: string | undefined;
  /** Inputs that the provider must refuse before anything is made. */
  readonly invalid: PlanInputs | undefined;
  /** Inputs with which an object comes into being that is not as it should be. */
  readonly fails: PlanInputs | undefined;
  /** Inputs of a create that takes long, and milliseconds after which it is interrupted. */
  readonly interrupt: { readonly inputs: PlanInputs; readonly after: number } | undefined;
}

/** Inputs that change, beside those that remain; null removes one. */
export interface PlannedChange {
  readonly inputs: PlanInputs;
  /** True if a new object is required, false if not; `undefined` if either is right. */
  readonly replaces: boolean | undefined;
}

/** Reads a plan from YAML or JSON. Fails with CAIRN-USAGE that names the place. */
export function readTestPlan(text: string, file: string): TestPlan {
  let document: unknown;
  try {
    document = parse(text, { schema: 'core' });
  } catch (error) {
    throw cairnError('CAIRN-USAGE', `cannot read ${file}`, { causes: [messageOf(error)] }, error);
  }
  const at = new Reader(file);
  const root = at.object(document ?? {}, 'the file', ['config', 'resources', 'functions']);
  return {
    config: at.values(root['config'], 'config') ?? {},
    resources: at.list(root['resources'], 'resources').map((each, index) => resource(at, each, index)),
    functions: at.list(root['functions'], 'functions').map((each, index) => {
      const place = `functions[${index}]`;
      const given = at.object(each, place, ['token', 'inputs']);
      return {
        token: at.text(given['token'], `${place}.token`),
        inputs: at.values(given['inputs'], place) ?? {},
      };
    }),
  };
}

const RESOURCE_KEYS = [
  'type',
  'name',
  'inputs',
  'secrets',
  'changes',
  'drift',
  'invalid',
  'fails',
  'interrupt',
];

function resource(at: Reader, given: unknown, index: number): ResourceTest {
  const place = `resources[${index}]`;
  const each = at.object(given, place, RESOURCE_KEYS);
  const type = at.text(each['type'], `${place}.type`);
  const interrupt = each['interrupt'] as { inputs?: unknown; after?: unknown } | undefined | null;
  return {
    type,
    name: each['name'] === undefined ? `test-${index + 1}` : at.text(each['name'], `${place}.name`),
    inputs: at.values(each['inputs'], `${place}.inputs`) ?? {},
    secrets: at.list(each['secrets'], `${place}.secrets`).map((name) => at.text(name, `${place}.secrets`)),
    changes: at.list(each['changes'], `${place}.changes`).map((change, number) => {
      const where = `${place}.changes[${number}]`;
      const one = at.object(change, where, ['inputs', 'replaces']);
      return {
        inputs: at.values(one['inputs'], where) ?? {},
        replaces: at.flag(one['replaces'], `${where}.replaces`),
      };
    }),
    drift: each['drift'] === undefined ? undefined : at.text(each['drift'], `${place}.drift`),
    invalid: at.values(each['invalid'], `${place}.invalid`),
    fails: at.values(each['fails'], `${place}.fails`),
    interrupt:
      interrupt === undefined || interrupt === null
        ? undefined
        : {
            inputs: at.values(interrupt.inputs, `${place}.interrupt.inputs`) ?? {},
            after: Number(interrupt.after ?? 200),
          },
  };
}

/** Reads values of the expected kind from a document, or throws an error with their place. */
class Reader {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  object(value: unknown, place: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
    if (!isObject(value)) throw this.#wrong(place, 'an object');
    const unknown = Object.keys(value).find((key) => !keys.includes(key));
    if (unknown !== undefined) throw this.#wrong(`${place}.${unknown}`, `one of ${keys.join(', ')}`);
    return value;
  }

  list(value: unknown, place: string): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.#wrong(place, 'a list');
    return value;
  }

  values(value: unknown, place: string): PlanInputs | undefined {
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) throw this.#wrong(place, 'an object');
    return value as PlanInputs;
  }

  text(value: unknown, place: string): string {
    if (typeof value !== 'string' || value === '') throw this.#wrong(place, 'a string');
    return value;
  }

  flag(value: unknown, place: string): boolean | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'boolean') throw this.#wrong(place, 'true or false');
    return value;
  }

  #wrong(place: string, expected: string): Error {
    return cairnError('CAIRN-USAGE', `${this.#file}: ${place} must be ${expected}`, {
      hint: 'Write a file to start from with `cairn provider test NAME --init`.',
    });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns given inputs as properties, with secrets marked. */
export function asInputs(given: PlanInputs, secrets: ReadonlySet<string>): PropertyMap {
  const entries = Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => [key, secrets.has(key) ? secret(value) : value]);
  return propertyMap(Object.fromEntries(entries) as Record<string, PropertyValue>);
}
