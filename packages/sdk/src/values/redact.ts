import { kindOf, some } from '@cairn/values';
import type { PropertyMap, Secret } from '@cairn/values';

/** Shorter texts occur everywhere: replacing them would only show where they are. */
const SHORTEST = 3;

/** The text with every secret of the maps replaced. */
export function redacted(text: string, maps: readonly PropertyMap[]): string {
  const found = new Set<string>();
  for (const map of maps) {
    some(map, (value) => {
      if (kindOf(value) !== 'secret') return false;
      return some((value as Secret).value, (inner) => {
        if (typeof inner === 'string' && inner.length >= SHORTEST) found.add(inner);
        return false;
      });
    });
  }
  // Longest first, so that no secret hides part of another.
  return [...found]
    .sort((a, b) => b.length - a.length)
    .reduce((shown, one) => shown.replaceAll(one, '[secret]'), text);
}
