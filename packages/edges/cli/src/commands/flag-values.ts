import { cairnError } from '@cairn/diagnostics';
import type { Env } from '@cairn/workspace';
import { propertyOf } from '../flags/flag-spec.js';
import type { FlagSpec } from '../flags/flag-spec.js';
import type { GlobalFlags } from '../flags/global.js';
import type { GivenValue } from './command-line.js';

/**
 * Returns the flags of a command by property: the values that the command line has, else those of the environment
 * [CLI-1]. Throws CAIRN-USAGE for a value that a flag does not take.
 */
export function readFlags(
  specs: readonly FlagSpec[],
  given: ReadonlyMap<string, GivenValue>,
  env: Env,
): GlobalFlags {
  const find = (spec: FlagSpec): GivenValue | undefined =>
    given.get(spec.name) ?? fromEnvironment(spec, env) ?? standIn(spec);
  /** Returns the value that another flag of the command gives a switch. */
  const standIn = ({ name }: FlagSpec): boolean | undefined => {
    const other = specs.find(({ turnsOn }) => turnsOn === name);
    const form = other && find(other);
    if (form === undefined || form === 'default' || form === 'json') return form === 'json' || undefined;
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(form)}`);
  };
  const values = specs.map((spec) => [propertyOf(spec.name), valueOf(spec, find(spec))] as const);
  // Rows and types of values correspond: see FlagValues.
  return Object.freeze(Object.fromEntries(values)) as unknown as GlobalFlags;
}

/** Returns the value in the form of its flag. A value of another form belongs to a parent's flag and is ignored. */
function valueOf(spec: FlagSpec, value: GivenValue | undefined): GivenValue | number | undefined {
  if (spec.value === undefined) return (value ?? spec.standard === 'on') === true;
  if (spec.holds === 'list') return typeof value === 'object' ? value : [];
  if (typeof value !== 'string') return undefined;
  if (spec.holds === 'count') return countOf(spec, value);
  if (spec.holds === 'choice') return choiceOf(spec, value);
  return value;
}

function fromEnvironment(spec: FlagSpec, env: Env): GivenValue | undefined {
  const option = `OPTION_${spec.name.toUpperCase().replaceAll('-', '_')}`;
  const suffixes = spec.variable === undefined ? [option] : [option, spec.variable];
  const names = suffixes.flatMap((suffix) => [`CAIRN_${suffix}`, `PULUMI_${suffix}`]);
  const text = names.map((name) => env[name]).find((value) => value !== undefined);
  if (text === undefined || text === '') return undefined;
  if (spec.value === undefined) return text === '1' || text.toLowerCase() === 'true';
  return spec.holds === 'list' ? listOf(text) : text;
}

/** Splits a list in the environment at its commas. A value in double quotes may contain commas. */
function listOf(text: string): readonly string[] {
  const values = text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...values].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}

function countOf({ name, from: least }: FlagSpec, text: string): number {
  const from: number = least ?? 1;
  if (/^(?:0|[1-9]\d{0,8})$/.test(text) && Number(text) >= from) return Number(text);
  throw cairnError(
    'CAIRN-USAGE',
    `invalid argument ${JSON.stringify(text)} for --${name}: it takes a whole number from ${from}`,
  );
}

function choiceOf({ name, of: words = [] }: FlagSpec, text: string): string {
  if (words.includes(text)) return text;
  throw cairnError('CAIRN-USAGE', `--${name} takes ${words.join(', ')}, not ${JSON.stringify(text)}`);
}
