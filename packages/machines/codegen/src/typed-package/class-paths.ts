import type { PackageModel } from '../schema/model.js';
import { layoutOf } from './layout.js';
import { npmNameOf } from './options.js';

/** Export path of a class. */
interface ClassPath {
  readonly module: string;
  /** Exports from the module down to the class. */
  readonly path: readonly string[];
}

/** Returns the classes of the generated package by type of resource, including that of the provider. */
export function classPaths(model: PackageModel): ReadonlyMap<string, ClassPath> {
  const { modules } = layoutOf(model);
  const exportOf = new Map<string, readonly string[]>([['', []]]);
  for (const { folder, children } of modules) {
    for (const [name, part] of children)
      exportOf.set(folder === '' ? part : `${folder}/${part}`, [...(exportOf.get(folder) ?? []), name]);
  }
  const module = npmNameOf(model.name);
  return new Map(
    modules.flatMap(({ folder, resources }) =>
      resources.map(({ model: { token }, name }): [string, ClassPath] => [
        token === model.provider.token ? `pulumi:providers:${model.name}` : token,
        { module, path: [...(exportOf.get(folder) ?? []), name] },
      ]),
    ),
  );
}
