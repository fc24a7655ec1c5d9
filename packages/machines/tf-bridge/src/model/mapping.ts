import { fail } from '@cairn/diagnostics';

/** Entry of a mapping file for one attribute. */
export interface FieldMapping {
  /** The property. */
  readonly name?: string;
  /** True if a list or set is one value for programs. */
  readonly maxItemsOne?: boolean;
  /** Token of the type of its objects. */
  readonly type?: string;
}

/** Entry of a mapping file for one object. Fields by path, with dots between attribute names. */
export interface ObjectMapping {
  readonly token?: string;
  readonly fields: ReadonlyMap<string, FieldMapping>;
}

/** Names that override those of the rules [TFN-6], by Terraform's names. */
export interface Mapping {
  readonly config: ObjectMapping;
  readonly resources: ReadonlyMap<string, ObjectMapping>;
  readonly dataSources: ReadonlyMap<string, ObjectMapping>;
  readonly ephemeralResources: ReadonlyMap<string, ObjectMapping>;
  readonly functions: ReadonlyMap<string, ObjectMapping>;
}

const NOTHING: ObjectMapping = Object.freeze({ fields: new Map<string, FieldMapping>() });

/** A mapping without entries. */
export const noMapping: Mapping = Object.freeze({
  config: NOTHING,
  resources: new Map<string, ObjectMapping>(),
  dataSources: new Map<string, ObjectMapping>(),
  ephemeralResources: new Map<string, ObjectMapping>(),
  functions: new Map<string, ObjectMapping>(),
});

/** Returns the mapping of an object. */
export const mappingFor = (objects: ReadonlyMap<string, ObjectMapping>, name: string): ObjectMapping =>
  objects.get(name) ?? NOTHING;

const OBJECTS = ['resources', 'dataSources', 'ephemeralResources', 'functions'] as const;

/**
 * Reads a mapping file: JSON. A field is its property, or an object with more settings. An invalid file is refused with
 * the place of its fault.
 */
export function readMapping(text: string, file: string): Mapping {
  const root = members(parsed(text, file), file, '');
  onlyKeys(root, ['config', ...OBJECTS], file, '');
  const objects = (key: string): ReadonlyMap<string, ObjectMapping> => {
    const entries = Object.entries(members(root[key] ?? {}, file, `/${key}`));
    return new Map(entries.map(([name, each]) => [name, objectMapping(each, file, `/${key}/${name}`)]));
  };
  return {
    config: objectMapping(root['config'] ?? {}, file, '/config'),
    resources: objects('resources'),
    dataSources: objects('dataSources'),
    ephemeralResources: objects('ephemeralResources'),
    functions: objects('functions'),
  };
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return refuseMapping(file, '', (error as Error).message);
  }
}

function objectMapping(json: unknown, file: string, at: string): ObjectMapping {
  const entry = members(json, file, at);
  onlyKeys(entry, ['token', 'fields'], file, at);
  const token = entry['token'];
  if (token !== undefined && !isToken(token))
    refuseMapping(file, `${at}/token`, 'expected a token of the form package:module:Name');
  const fields = Object.entries(members(entry['fields'] ?? {}, file, `${at}/fields`)).map(
    ([path, each]) => [path, fieldMapping(each, file, `${at}/fields/${path}`)] as const,
  );
  return { ...(token !== undefined && { token: token as string }), fields: new Map(fields) };
}

function fieldMapping(json: unknown, file: string, at: string): FieldMapping {
  if (typeof json === 'string') return { name: propertyName(json, file, at) };
  const entry = members(json, file, at);
  onlyKeys(entry, ['name', 'maxItemsOne', 'type'], file, at);
  const { name, maxItemsOne, type } = entry;
  if (maxItemsOne !== undefined && typeof maxItemsOne !== 'boolean')
    refuseMapping(file, `${at}/maxItemsOne`, 'expected true or false');
  if (type !== undefined && !isToken(type))
    refuseMapping(file, `${at}/type`, 'expected a token of the form package:module:Name');
  return {
    ...(name !== undefined && { name: propertyName(name, file, `${at}/name`) }),
    ...(maxItemsOne !== undefined && { maxItemsOne: maxItemsOne as boolean }),
    ...(type !== undefined && { type: type as string }),
  };
}

function propertyName(json: unknown, file: string, at: string): string {
  if (typeof json === 'string' && /^[A-Za-z_$][\w$]*$/.test(json)) return json;
  return refuseMapping(file, at, 'expected a name of letters, digits and underscores');
}

const isToken = (json: unknown): boolean => typeof json === 'string' && /^[^:]+:[^:]*:[^:]+$/.test(json);

function members(json: unknown, file: string, at: string): Readonly<Record<string, unknown>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) {
    return json as Record<string, unknown>;
  }
  return refuseMapping(file, at, 'expected an object');
}

function onlyKeys(entry: object, known: readonly string[], file: string, at: string): void {
  for (const key of Object.keys(entry)) {
    if (!known.includes(key))
      refuseMapping(file, `${at}/${key}`, `unknown key; known are ${known.join(', ')}`);
  }
}

/** Fails with the invalid place in the file. */
export function refuseMapping(file: string, at: string, cause: string): never {
  return fail('CAIRN-USAGE', `the mapping file ${file} cannot be used`, {
    causes: [`${at === '' ? '/' : at}: ${cause}`],
    hint: 'Correct this place.',
  });
}
