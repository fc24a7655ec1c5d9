import { ProviderError } from '@cairn/wire';
import { saysUnimplemented } from './diff-config.js';

/** Distinguishes a provider that does not implement a method of its configuration from one that fails [PROV-14]. */

const node = 'pulumi:providers:pulumi-nodejs';
const kubernetes = 'pulumi:providers:kubernetes';
const other = 'pulumi:providers:other';
test.each([
  [other, new ProviderError('UNIMPLEMENTED', 'not there'), true],
  [node, new ProviderError('INTERNAL', 'anything'), true],
  [node, new ProviderError('UNKNOWN', 'anything'), false],
  [kubernetes, new ProviderError('UNKNOWN', 'rpc: Unimplemented: DiffConfig'), true],
  [kubernetes, new ProviderError('UNKNOWN', 'the cluster is away'), false],
  [kubernetes, new ProviderError('INTERNAL', 'Unimplemented'), false],
  [other, new ProviderError('UNKNOWN', 'Unimplemented'), false],
  [other, new ProviderError('INTERNAL', 'anything'), false],
  [other, new Error('UNIMPLEMENTED'), false],
] as const)('%s: %s', (type, error, expected) => {
  expect(saysUnimplemented(error, type)).toBe(expected);
});
