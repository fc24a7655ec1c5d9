/** Orders keys as Go does: by UTF-8 bytes, which is the order of code points. */
function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns the keys of an object in the order in which they are written. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return sortKeys(keys);
  }
  return keys.length > 1 && keys.some(hasHighUnit) ? keys.sort(compareKeys) : keys;
}

function sortKeys(keys: string[]): string[] {
  if (keys.some(hasHighUnit)) return keys.sort(compareKeys);
  return keys.length > FEW ? keys.sort() : insertionSort(keys);
}

/** Number of keys up to which {@link insertionSort} is cheaper than the general sort, which copies the list twice. */
const FEW = 16;

function insertionSort(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let at = index;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
}

/** Tells whether a key has a unit from U+D800 up. Only then do UTF-16 order and code point order differ. */
function hasHighUnit(key: string): boolean {
  return /[\ud800-\uffff]/.test(key);
}
