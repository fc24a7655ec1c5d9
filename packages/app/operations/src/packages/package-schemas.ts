import { messageOf } from '@cairn/diagnostics';
import { StatusError } from '@cairn/wire';
import type { SchemaLoader } from '@cairn/wire';

/** The package that code is generated of, and where schemas of others come from. */
interface SchemasOfPackage {
  readonly name: string;
  /** JSON. */
  readonly schema: string;
  /** The plugin that serves it, where parameters make it from that. */
  readonly base?: { readonly name: string } | undefined;
  /** The schema of another package, as JSON; `version` may be empty. Rejects when it cannot be had. */
  readonly schemaOf: (name: string, version: string) => Promise<string>;
}

/**
 * What a generator of code is told of schemas: of the package itself the one that is given, of those that it refers to
 * what their plugins say, each asked once. A package that parameters make of another plugin is not known by name alone,
 * and is refused, as is one whose plugin gives none.
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
