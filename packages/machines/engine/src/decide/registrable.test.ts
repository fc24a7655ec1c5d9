import { entryOf, factsOf, named } from '../../test/facts.js';
import { objection } from './registrable.js';
import type { Registrable } from './registrable.js';

const other = named('other');
const registered = [{ t: 'registered', urn: other }] as const;

/** Objections to a registration, in the order in which they are found [REG-4]. */
test.each<[string, Partial<Registrable>, Parameters<typeof factsOf>[0], string | undefined]>([
  ['nothing', {}, {}, undefined],
  ['a type that is no token', { type: 'very:bad' }, {}, 'CAIRN-RESOURCE-TYPE'],
  ['not for a component', { type: 'very:bad', custom: false }, {}, undefined],
  [
    'a URN that is used already',
    {},
    { noted: [{ t: 'registered', urn: named('res') }] },
    'CAIRN-RESOURCE-DUPLICATE',
  ],
  ['a parent that is not there', { parent: other }, {}, 'CAIRN-RESOURCE-PARENT'],
  ['one that is', { parent: other }, { noted: registered }, undefined],
  ['a dependency on itself', { dependencies: [named('res')] }, {}, 'CAIRN-RESOURCE-CYCLE'],
  ['one on something later', { dependencies: [other] }, {}, 'CAIRN-RESOURCE-OPTION'],
  ['one on something before', { dependencies: [other] }, { noted: registered }, undefined],
  [
    'what is in state counts under targets',
    { dependencies: [other] },
    { others: [entryOf('other')], targets: [named('res')] },
    undefined,
  ],
  ['else it does not', { dependencies: [other] }, { others: [entryOf('other')] }, 'CAIRN-RESOURCE-OPTION'],
])('%s', (_what, goal, given, expected) => {
  const { view, entries, scope, goal: blank } = factsOf(given);
  const against = objection({ ...blank, ...goal }, view, entries, scope.targets.constrained);
  expect(against?.code).toBe(expected);
  if (against !== undefined) expect(against).toMatchObject({ urn: named('res'), hint: expect.any(String) });
});
