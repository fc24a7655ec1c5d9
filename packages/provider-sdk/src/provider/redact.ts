import { kindOf, some } from '@cairn/values';
import type { PropertyMap, PropertyValue, Secret } from '@cairn/values';

/** Shorter texts occur everywhere: replacing them would only show where they are. */
const SHORTEST = 3;

/** A function that replaces every secret text of the inputs, and each of its longer lines, by `[secret]`. */
export function redactor(...maps: readonly PropertyMap[]): (text: string) => string {
  let secrets: readonly string[] | undefined;
  return (text) => {
    secrets ??= secretTexts(maps);
    return secrets.reduce((shown, one) => shown.replaceAll(one, '[secret]'), text);
  };
}

/** Longest first, so that no secret hides part of another. */
function secretTexts(maps: readonly PropertyMap[]): readonly string[] {
  const found = new Set<string>();
  for (const map of maps) {
    some(map, (value) => {
      if (kindOf(value) === 'secret') collect((value as Secret).value, found);
      return false;
    });
  }
  return [...found].sort((a, b) => b.length - a.length);
}

function collect(value: PropertyValue, found: Set<string>): void {
  some(value, (inner) => {
    if (typeof inner === 'string' || typeof inner === 'number') {
      for (const text of [String(inner), ...String(inner).split(/\r?\n/)])
        if (text.length >= SHORTEST) found.add(text);
    }
    return false;
  });
}
