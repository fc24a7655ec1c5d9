import { growHeapSlowly } from './heap.js';

test.each([
  ['11.3.244.8-node.38', ['--heap-growing-percent=100']],
  ['12.4.254.21-node.26', []],
  ['111.0.0', []],
])('V8 %s is given %j', (version, expected) => {
  const given: string[] = [];
  growHeapSlowly(version, (flag) => given.push(flag));
  expect(given).toEqual(expected);
});
