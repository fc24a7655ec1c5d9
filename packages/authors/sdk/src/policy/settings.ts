/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

/** One setting of a policy: what it may be, as a JSON schema, and what it is when nobody sets it. */
export interface Setting<T> {
  readonly schema: Schema;
  /** Absent: it must be set, unless it is optional. */
  readonly fallback?: T | undefined;
  readonly optional: boolean;
}

/** Settings of a policy by name. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** What a policy with these settings is told. */
export type SettingValues<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

interface Common<T> {
  readonly description?: string | undefined;
  /** What it is when nobody sets it. Absent: it must be set. */
  readonly default?: T | undefined;
}

interface TextLimits {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Regular expression. */
  readonly pattern?: string | undefined;
}

interface NumberLimits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

interface ListLimits {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

function made<T>(type: Schema, { default: fallback, ...rest }: Common<T> & object): Setting<T> {
  const limits = Object.entries(rest).filter(([, value]) => value !== undefined);
  const schema = { ...type, ...Object.fromEntries(limits) };
  return {
    schema: fallback === undefined ? schema : { ...schema, default: fallback },
    fallback,
    optional: false,
  };
}

/** What settings can be made of. */
export const setting = {
  text: (options: Common<string> & TextLimits = {}): Setting<string> => made({ type: 'string' }, options),
  number: (options: Common<number> & NumberLimits = {}): Setting<number> => made({ type: 'number' }, options),
  integer: (options: Common<number> & NumberLimits = {}): Setting<number> =>
    made({ type: 'integer' }, options),
  flag: (options: Common<boolean> = {}): Setting<boolean> => made({ type: 'boolean' }, options),
  /** One of some texts. */
  choice: <const T extends string>(choices: readonly T[], options: Common<NoInfer<T>> = {}): Setting<T> =>
    made({ type: 'string', enum: choices }, options),
  list: <T>(item: Setting<T>, options: Common<readonly T[]> & ListLimits = {}): Setting<readonly T[]> =>
    made({ type: 'array', items: item.schema }, options),
  /** It need not be set: it is undefined then. */
  optional: <T>(one: Setting<T>): Setting<T | undefined> => ({ ...one, optional: true }),
} as const;

/** What a policy is told: what was set, and defaults for the rest. */
export function settingValues(
  settings: Settings,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, { fallback }]) => [
      key,
      Object.hasOwn(given, key) ? given[key] : fallback,
    ]),
  );
}
