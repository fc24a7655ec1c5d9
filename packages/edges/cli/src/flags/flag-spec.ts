/** A flag. Without a `value` it is a switch. A row of `OPERATION_OPTIONS` is one. */
export interface FlagSpec {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Placeholder of the value in help. */
  readonly value?: string;
  /** Form of the value; a list may be given several times. Defaults to a text for a flag with a value. */
  readonly holds?: 'switch' | 'text' | 'count' | 'list' | 'choice';
  /** Words that a choice takes. */
  readonly of?: readonly string[];
  /** Value of the flag if it is given alone. A value is then given only as `--name=value`. */
  readonly alone?: string;
  /** Turns on the switch of this name if the value is `json`; the only other value is `default`. */
  readonly turnsOn?: 'json';
  /** Smallest number of a count. Defaults to 1. */
  readonly from?: 0;
  /** Omitted from help: other programs pass it. */
  readonly hidden?: true;
  /** Reason why this flag is not offered, though another tool has it. The error for such a flag contains it [CLI-1]. */
  readonly refused?: string;
  /** A switch that is on unless it is given as `--name=false`. */
  readonly standard?: 'on';
  /** A variable of the environment that sets the flag beside `OPTION_<FLAG>`, without its prefix [CFG-14]. */
  readonly variable?: string;
  readonly summary: string;
}

/** Values of flags by property: `skip-preview` is `skipPreview`. A refused flag has none. */
export type FlagValues<Rows extends readonly FlagSpec[]> = {
  readonly [
    Row in Rows[number] as Row extends { readonly refused: string } ? never : Property<Row['name']>
  ]: ValueOf<Row>;
};

/** Name of the property with the value of a flag. */
type Property<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Property<Tail>>}`
  : Name;

type ValueOf<Row extends FlagSpec> = Row extends { readonly value: string }
  ? Row extends { readonly holds: 'list' }
    ? readonly string[]
    : Row extends { readonly holds: 'count' }
      ? number | undefined
      : Row extends { readonly holds: 'choice'; readonly of: readonly (infer Word)[] }
        ? Word | undefined
        : string | undefined
  : boolean;

/** Returns the name of the property with the value of a flag. */
export function propertyOf(name: string): string {
  return name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Tells whether a value is that of a flag which is given. A switch that is off and an empty list are not. */
export function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** Returns the name of the first of these flags that is given, without dashes in front. */
export function firstGiven<Flags extends object, Key extends keyof Flags & string>(
  flags: Flags,
  properties: readonly Key[],
): string | undefined {
  const found = properties.find((property) => isGiven(flags[property]));
  return found?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the rows of some names, in their order. */
export function only<Row extends FlagSpec, Name extends Row['name']>(
  rows: readonly Row[],
  names: readonly Name[],
): readonly Extract<Row, { readonly name: Name }>[] {
  const wanted: ReadonlySet<string> = new Set(names);
  return rows.filter((row): row is Extract<Row, { readonly name: Name }> => wanted.has(row.name));
}

/** Returns the rows but those of some names. */
export function without<Row extends FlagSpec, Name extends Row['name']>(
  rows: readonly Row[],
  names: readonly Name[],
): readonly Exclude<Row, { readonly name: Name }>[] {
  const left: ReadonlySet<string> = new Set(names);
  return rows.filter((row): row is Exclude<Row, { readonly name: Name }> => !left.has(row.name));
}

/** Switches that a command reads. */
export type Switches<Name extends string> = { readonly [N in Name]: boolean };

/** Flags with texts that a command reads. */
export type Texts<Name extends string> = { readonly [N in Name]: string | undefined };

/** Flags with counts that a command reads. */
export type Counts<Name extends string> = { readonly [N in Name]: number | undefined };

/** Flags with lists of texts that a command reads. */
export type Lists<Name extends string> = { readonly [N in Name]: readonly string[] };
