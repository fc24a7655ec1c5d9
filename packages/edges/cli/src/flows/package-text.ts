import type { PackageModel } from '@cairn/codegen';
import type { WrittenPackage } from '@cairn/operations/packages';

/** Returns a line about the folder of a generated package. */
export function packageSummary(
  model: PackageModel,
  { npmName, written, removed, unchanged }: WrittenPackage,
  folder: string,
): string {
  const files =
    written === 0 && removed === 0
      ? 'nothing has changed'
      : `${written} files written, ${removed} removed, ${unchanged} unchanged`;
  return `Generated ${npmName} ${model.version} in ${folder}: ${counts(model)}; ${files}`;
}

/** Returns the numbers of resources and functions of a package. */
export function counts({ resources, functions, overlays }: PackageModel): string {
  const left = overlays.length === 0 ? '' : `, ${overlays.length} left out as overlays`;
  return `${plural(resources.length, 'resource')}, ${plural(functions.length, 'function')}${left}`;
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
