/** A schema as the plugin of a language is given it. */
interface LanguageSchema {
  /** JSON. */
  readonly schema: string;
  /** Name of the folder of the code: that of the package, behind its namespace where it has one. */
  readonly folder: string;
}

/**
 * What a plugin needs to write a package that a program uses from a folder: the version of the provider where the
 * schema names none, and that the package is to be whole (`meta.supportPack`), its version filled in.
 */
export function languageSchema(schema: string, name: string, version: string): LanguageSchema {
  const read = JSON.parse(schema) as {
    readonly namespace?: unknown;
    readonly version?: string;
    readonly meta?: object;
  };
  const { namespace } = read;
  const folder = typeof namespace === 'string' && namespace !== '' ? `${namespace}-${name}` : name;
  const told = read.version === undefined || read.version === '' ? version : read.version;
  if (told === '') return { schema, folder };
  return {
    schema: JSON.stringify({ ...read, version: told, meta: { ...read.meta, supportPack: true } }),
    folder,
  };
}
