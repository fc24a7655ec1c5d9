import { messageOf } from '@cairn/diagnostics';
import { StatusError } from '@cairn/wire';
import type { SchemaLoader } from '@cairn/wire';

/** The package for which code is generated, and the source of other schemas. */
interface SchemasOfPackage {
  readonly name: string;
  /** JSON. */
  readonly schema: string;
  /** The plugin that serves it, if it becomes this package by parameters. */
  readonly base?: { readonly name: string } | undefined;
  /** Returns the schema of another package, as JSON; `version` may be empty. Rejects when it is not available. */
  readonly schemaOf: (name: string, version: string) => Promise<string>;
}

/**
 * Returns a loader of schemas for a generator of code. The package itself has the given schema; the packages it refers
 * to have those of their plugins, each asked once. A package that parameters make of another plugin is not known by
 * name alone, and is refused. So is one whose plugin returns none.
 */
export function schemasOfPackage({ name, schema, base, schemaOf }: SchemasOfPackage): SchemaLoader {
  const others = new Map<string, Promise<string>>();
  const asked = (other: string, version: string): Promise<string> => {
    const key = `${other}@${version}`;
    const known = others.get(key) ?? schemaOf(other, version);
    others.set(key, known);
    return known;
  };
  return {
    getSchema: async ({ package: wanted, version, parameterization }) => {
      if (wanted === name || wanted === base?.name) return schema;
      if (parameterization !== undefined)
        throw new StatusError('NOT_FOUND', `no schema of ${parameterization.name}, made of ${wanted}`);
      return asked(wanted, version).catch((error: unknown) => {
        throw new StatusError('NOT_FOUND', `no schema of ${wanted}: ${messageOf(error)}`);
      });
    },
  };
}
