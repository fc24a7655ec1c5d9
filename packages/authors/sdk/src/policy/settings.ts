/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

/** One setting of a policy: its JSON schema and its default. */
export interface Setting<T> {
  readonly schema: Schema;
  /** The default. A setting without one is required, unless it is optional. */
  readonly fallback?: T | undefined;
  readonly optional: boolean;
}

/** Settings of a policy by name. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** Values of these settings, as a policy receives them. */
export type SettingValues<S extends Settings> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

interface Common<T> {
  readonly description?: string | undefined;
  /** Value if the user sets none. A setting without a default is required. */
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

/** Constructors of settings. */
export const setting = {
  text: (options: Common<string> & TextLimits = {}): Setting<string> => made({ type: 'string' }, options),
  number: (options: Common<number> & NumberLimits = {}): Setting<number> => made({ type: 'number' }, options),
  integer: (options: Common<number> & NumberLimits = {}): Setting<number> =>
    made({ type: 'integer' }, options),
  flag: (options: Common<boolean> = {}): Setting<boolean> => made({ type: 'boolean' }, options),
  /** Makes a setting with a fixed list of choices. */
  choice: <const T extends string>(choices: readonly T[], options: Common<NoInfer<T>> = {}): Setting<T> =>
    made({ type: 'string', enum: choices }, options),
  list: <T>(item: Setting<T>, options: Common<readonly T[]> & ListLimits = {}): Setting<readonly T[]> =>
    made({ type: 'array', items: item.schema }, options),
  /** Makes a setting optional. Without a value it is undefined. */
  optional: <T>(one: Setting<T>): Setting<T | undefined> => ({ ...one, optional: true }),
} as const;

/** Returns the values that a policy receives: those that are set, and defaults for the rest. */
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
