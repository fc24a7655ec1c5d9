import { emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { digestOfState } from './saved-plans.js';

test('the digest of a state is that of its resources and its unfinished steps', () => {
  const digest = (parts: object): string =>
    digestOfState({ ...emptyDeployment, ...parts } as unknown as SerializedDeployment);
  const one = { urn: 'a' };
  expect(digestOfState(undefined)).toBe(digest({}));
  expect(digest({ manifest: { time: '2030' }, resources: [one] })).toBe(digest({ resources: [one] }));
  const others = [{}, { resources: [one, one] }, { resources: [{ urn: 'b' }] }, { pendingOperations: [one] }];
  expect(others.map(digest)).not.toContain(digest({ resources: [one] }));
});
