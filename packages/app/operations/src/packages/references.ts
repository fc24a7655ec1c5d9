import { stat } from 'node:fs/promises';
import path from 'node:path';
import { readSchema } from '@cairn/codegen';
import type { PackageModel } from '@cairn/codegen';
import { messageOf } from '@cairn/diagnostics';
import type { Ports } from '../ports.js';
import { obtainSchema } from './obtain-schema.js';

/**
 * Returns the packages that a schema refers to, if they are generated in `sdks`; their plugins describe them. For each
 * other package it reports that its types count as any value.
 */
export async function referencesOf(
  ports: Ports,
  model: PackageModel,
  sdks: string,
): Promise<ReadonlyMap<string, PackageModel>> {
  const found = new Map<string, PackageModel>();
  for (const name of model.references) {
    const why = await describe(ports, name, sdks).then(
      (other) => {
        if (typeof other === 'string') return other;
        found.set(name, other);
        return undefined;
      },
      (error: unknown) => messageOf(error),
    );
    if (why === undefined) continue;
    ports.interaction.making?.({ t: 'reference-unknown', name: model.name, reference: name, why });
  }
  return found;
}

async function describe(ports: Ports, name: string, sdks: string): Promise<PackageModel | string> {
  const isThere = await stat(path.join(sdks, name, 'package.json')).catch(() => undefined);
  if (isThere === undefined) return `run \`cairn package add ${name}\` first`;
  const { schema } = await obtainSchema(ports, { text: name });
  return readSchema(schema).model ?? `its schema has errors; see \`cairn package info ${name}\``;
}
