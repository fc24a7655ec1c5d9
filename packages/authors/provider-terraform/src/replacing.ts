import { getAt, isUnknown, parsePathTolerantly, stripSecretsMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { specAt, specsAlong } from '@cairn/provider-sdk/protocols';
import type { ShapeSpec, TypeSpec } from '@cairn/provider-sdk/protocols';

/**
 * Returns the inputs whose change requires another object, including those that must not change at all. An unknown
 * value counts if it may turn out to be such a change: a plan approved as an update cannot become a replacement during
 * apply.
 */
export function replacingInputs(
  shape: ShapeSpec,
  news: PropertyMap,
  { replaceKeys, detailedDiff }: DiffResponse,
): readonly string[] {
  const plain = stripSecretsMap(news);
  const changed = Object.keys(detailedDiff ?? {})
    .map(parsePathTolerantly)
    .filter((path) => {
      if (specsAlong(shape, path).some((spec) => spec.immutable)) return true;
      const [spec, value] = [specAt(shape, path), getAt(plain, path)];
      return spec !== undefined && value !== undefined && isUnknown(value) && mayReplace(spec.type);
    })
    .map(([first]) => String(first));
  return [...new Set([...replaceKeys.map((key) => String(parsePathTolerantly(key)[0])), ...changed])];
}

/** Tells whether a change within a value of the type may require another object. */
function mayReplace(type: TypeSpec): boolean {
  const inner =
    type.kind === 'array'
      ? [type.items]
      : type.kind === 'map'
        ? [type.values]
        : type.kind === 'object'
          ? Object.values(type.properties)
          : [];
  if (type.kind === 'array' && type.unordered === true) return false;
  return inner.some((spec) => spec.replaceOnChange || spec.immutable || mayReplace(spec.type));
}
