import { BugError, cairnError } from '@cairn/diagnostics';
import type { FlagSpec, Flags } from '../command-spec.js';
import type { GivenValue } from './command-line.js';

/** Variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Returns the flags of a command: the values that the command line has, else those of the environment [CLI-1]. */
export function readFlags(
  specs: readonly FlagSpec[],
  given: ReadonlyMap<string, GivenValue>,
  env: Env,
): Flags {
  const find = (name: string): { spec: FlagSpec; value: GivenValue | undefined } => {
    const spec = specs.find((flag) => flag.name === name);
    if (spec === undefined) throw new BugError(`the command declares no flag --${name}`);
    return { spec, value: given.get(name) ?? fromEnvironment(spec, env) };
  };
  /** Tells whether another flag of the command has the same effect. */
  const standIn = (name: string): boolean => {
    const other = specs.find(({ stands }) => stands === name)?.name;
    const form = other === undefined ? undefined : find(other).value;
    if (form === undefined || form === 'default' || form === 'json') return form === 'json';
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(form)}`);
  };
  return {
    has: (name) => specs.some((flag) => flag.name === name),
    text: (name) => find(name).value as string | undefined,
    list: (name) => (find(name).value as readonly string[] | undefined) ?? [],
    on: (name) => {
      const { spec, value } = find(name);
      if (value === undefined && standIn(name)) return true;
      return (value ?? spec.standard === 'on') === true;
    },
    count: (name) => {
      const { spec, value } = find(name);
      return countOf(spec, value as string | undefined);
    },
  };
}

function fromEnvironment(spec: FlagSpec, env: Env): GivenValue | undefined {
  const option = `OPTION_${spec.name.toUpperCase().replaceAll('-', '_')}`;
  const suffixes = spec.variable === undefined ? [option] : [option, spec.variable];
  const names = suffixes.flatMap((suffix) => [`CAIRN_${suffix}`, `PULUMI_${suffix}`]);
  const text = names.map((name) => env[name]).find((value) => value !== undefined);
  if (text === undefined || text === '') return undefined;
  if (spec.repeat === true) return listOf(text);
  if (spec.value === undefined) return text === '1' || text.toLowerCase() === 'true';
  return text;
}

/** Splits a list in the environment at its commas. A value in double quotes may contain commas. */
function listOf(text: string): readonly string[] {
  const values = text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...values].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

function countOf({ name, from: least }: FlagSpec, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const from: number = least ?? 1;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text) || Number(text) < from) {
    const said = JSON.stringify(text);
    throw cairnError(
      'CAIRN-USAGE',
      `invalid argument ${said} for --${name}: it takes a whole number from ${from}`,
    );
  }
  return Number(text);
}
