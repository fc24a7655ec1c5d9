import { isPendingName, pendingName, pendingStep } from './pending-name.js';

const urn = "urn:pulumi:dev::shop::a:b:Page::it's home";

test.each([
  ['a create by its resource', 'creating', 'whatever', `creating ${urn}`],
  ['an update by its object', 'updating', 'p-1', `updating ${urn} p-1`],
  ['a delete by its object', 'deleting', 'p-1', `deleting ${urn} p-1`],
] as const)('%s', (_name, type, id, text) => expect(pendingStep({ type, resource: { urn, id } })).toBe(text));

test('a name is stable, tells steps apart and can be typed', () => {
  const steps = [
    { type: 'creating', resource: { urn } },
    { type: 'deleting', resource: { urn, id: 'p-1' } },
    { type: 'deleting', resource: { urn, id: 'p-2' } },
  ] as const;
  expect(steps.map(pendingName)).toEqual(steps.map((step) => pendingName({ ...step })));
  expect(new Set(steps.map(pendingName)).size).toBe(3);
  expect(pendingName(steps[0])).toBe(pendingName({ type: 'creating', resource: { urn, id: 'later' } }));
  for (const step of steps) expect(isPendingName(pendingName(step))).toBe(true);
  expect(['7/3', 'state/1', urn, '0123abcde', '0123ABCD'].map(isPendingName)).not.toContain(true);
});
