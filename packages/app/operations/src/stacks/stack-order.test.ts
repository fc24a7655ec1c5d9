import { isCairnError } from '@cairn/diagnostics';
import { inOrder } from './stack-order.js';

const order = (needs: Readonly<Record<string, readonly string[]>>): string => {
  try {
    return inOrder(new Map(Object.entries(needs)))
      .map(({ stack }) => stack)
      .join(' ');
  } catch (thrown) {
    return isCairnError(thrown) ? (thrown.diagnostics[0]?.causes ?? []).join('; ') : String(thrown);
  }
};

test.each([
  ['names, when nothing refers', { c: [], a: [], b: [] }, 'a b c'],
  ['what is referred to first', { app: ['net', 'data'], data: ['net'], net: [] }, 'net data app'],
  ['what is not among them does not count', { app: ['net'], zone: [] }, 'app zone'],
  ['twice is once', { app: ['net', 'net'], net: [] }, 'net app'],
  ['a circle is refused', { a: ['b'], b: ['a'], c: [] }, 'a refers to b; b refers to a'],
])('stacks in order: %s [CLI-16]', (_title, needs, expected) => expect(order(needs)).toBe(expected));
