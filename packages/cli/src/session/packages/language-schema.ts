/** A schema as the plugin of a language is given it. */
export interface LanguageSchema {
  /** JSON. */
  readonly schema: string;
  /** Name of the folder of the code: that of the package, behind its namespace where it has one. */
  readonly folder: string;
}

/** Adds the version of the plugin to a schema that names none; the rest stays as it is, byte by byte if there is one. */
export function languageSchema(schema: string, name: string, version: string): LanguageSchema {
  const read = JSON.parse(schema) as { readonly namespace?: unknown; readonly version?: unknown };
  const { namespace } = read;
  const folder = typeof namespace === 'string' && namespace !== '' ? `${namespace}-${name}` : name;
  const lacks = read.version === undefined || read.version === '';
  return { schema: lacks && version !== '' ? JSON.stringify({ ...read, version }) : schema, folder };
}
