import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fail, messageOf } from '@cairn/diagnostics';
import { readMapping } from '../model/index.js';

/** A provider and the options of its package. This is all that a typed package has to carry. */
export interface PackageParameter {
  /** Source `[host/][namespace/]type`, in full if it was found. A package given by a path has none. */
  readonly source?: string | undefined;
  readonly path?: string | undefined;
  /** Version of the provider. Missing if unknown. */
  readonly version?: string | undefined;
  /** Name of the package. */
  readonly name: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Text of the mapping file. */
  readonly mapping?: string | undefined;
}

/** A user's request for a package. */
export interface PackageQuery extends Omit<PackageParameter, 'name'> {
  readonly name?: string | undefined;
  /** True to download the provider if it is not on this machine. */
  readonly download?: boolean | undefined;
}

const LISTS = ['include', 'exclude'] as const;
const OPTIONS = ['name', 'mapping', ...LISTS] as const;

/** Reads `PATH|SOURCE [VERSION] [--name N] [--include A,B] [--exclude A,B] [--mapping FILE] [--download]` [TFB-1]. */
export async function readArguments(args: readonly string[], cwd: string): Promise<PackageQuery> {
  const plain: string[] = [];
  const given = new Map<string, string[]>();
  let download = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] as string;
    const [, option, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (option === undefined) plain.push(arg);
    else if (arg === '--download') download = true;
    else {
      if (!OPTIONS.includes(option as 'name')) refuse(`there is no option --${option}`);
      const value = inline ?? args[(at += 1)];
      if (value === undefined) refuse(`--${option} needs a value`);
      given.set(option, [...(given.get(option) ?? []), value as string]);
    }
  }
  const [place, version, ...more] = plain;
  if (place === undefined || place === '') return refuse('the provider is missing');
  if (more.length > 0) refuse(`${more.join(' ')} is unexpected`);
  const list = (option: (typeof LISTS)[number]) =>
    given.get(option)?.flatMap((each) => each.split(',').filter((one) => one !== ''));
  const file = given.get('mapping')?.at(-1);
  return {
    ...(/^[./]/.test(place) || /^[A-Za-z]:[\\/]/.test(place) ? { path: place } : { source: place }),
    version,
    name: given.get('name')?.at(-1),
    include: list('include'),
    exclude: list('exclude'),
    mapping: file === undefined ? undefined : await mappingText(resolve(cwd, file)),
    ...(download && { download }),
  };
}

async function mappingText(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) =>
    fail('CAIRN-USAGE', `cannot read the mapping ${file}: ${messageOf(error)}`),
  );
  readMapping(text, file);
  return text;
}

function refuse(why: string): never {
  return fail('CAIRN-USAGE', `not the parameters of terraform-provider: ${why}`, {
    hint: 'Write PATH|SOURCE [VERSION] [--name NAME] [--include TYPES] [--exclude TYPES] [--mapping FILE] [--download].',
  });
}

/** Returns a parameter as the bytes that packages carry. */
export function parameterBytes(parameter: PackageParameter): Uint8Array {
  const { source, path, version, name, include, exclude, mapping } = parameter;
  return Buffer.from(JSON.stringify({ source, path, version, name, include, exclude, mapping }));
}

/**
 * Reads {@link parameterBytes}, and the parameters of Pulumi's own plugin of the same name [TFB-1]. The latter have the
 * form `{ remote: { url, version } | local: { path }, includes }`. `name` is the name of the package, if known.
 */
export function readParameter(bytes: Uint8Array, name = ''): PackageParameter {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    return fail('CAIRN-USAGE', `the parameter of terraform-provider is not JSON: ${messageOf(error)}`);
  }
  const parts = fieldsOf(read);
  const [remote, local] = [fieldsOf(parts['remote']), fieldsOf(parts['local'])];
  const [source, path] = [textOf(parts['source'] ?? remote['url']), textOf(parts['path'] ?? local['path'])];
  const called = name === '' ? textOf(parts['name']) : name;
  if (called === undefined || (source === undefined) === (path === undefined)) {
    return fail(
      'CAIRN-USAGE',
      'the parameter of terraform-provider has no name, or not exactly one provider',
    );
  }
  return {
    source,
    path,
    version: textOf(parts['version'] ?? remote['version']),
    name: called,
    include: textsOf(parts['include'] ?? parts['includes']),
    exclude: textsOf(parts['exclude']),
    mapping: textOf(parts['mapping']),
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOf = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.map((each) => String(each)) : undefined;
