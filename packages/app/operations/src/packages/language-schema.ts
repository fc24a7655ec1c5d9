/** Schema in the form for the plugin of a language. */
interface LanguageSchema {
  /** JSON. */
  readonly schema: string;
  /** Name of the folder of the code: that of the package, after its namespace if it has one. */
  readonly folder: string;
}

/**
 * Completes a schema for a plugin that writes a package that a program uses from a folder. If a version is known, the
 * schema gets it where it has none, and asks for a whole package (`meta.supportPack`).
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
