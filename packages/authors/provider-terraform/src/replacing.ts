import { getAt, isUnknown, parsePathTolerantly, stripSecretsMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import type { DiffResponse } from '@cairn/wire';
import { specAt, specsAlong } from '@cairn/provider-sdk/protocols';
import type { ShapeSpec, TypeSpec } from '@cairn/provider-sdk/protocols';

/**
 * Inputs whose change asks for another object; one that may not change at all does so too. So does one that is not
 * known yet where it may turn out to: a plan that is approved as an update cannot become a replacement when applied.
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

/** Whether something within a value of the type asks for another object when it changes. */
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
