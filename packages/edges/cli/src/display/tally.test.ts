import { makeUrn } from '@cairn/addresses';
import type { EngineEvent } from '@cairn/engine';
import { RunningTally } from './tally.js';

const urn = (name: string) => makeUrn({ project: 'p', stack: 's', type: 'a:b:c', name });
const failed = (name: string, inDoubt = false) =>
  ({
    t: 'step-failed',
    step: { urn: urn(name), type: 'a:b:c', kind: 'create' },
    inDoubt,
  }) as unknown as EngineEvent;

test.each([
  ['a failure', [failed('a')], [], { failed: 1, notTried: 9 }],
  ['a step in doubt has not failed', [failed('a'), failed('b', true)], ['b'], { failed: 1, notTried: 8 }],
  ['a step in doubt of which no event tells was tried', [failed('a')], ['b'], { failed: 1, notTried: 8 }],
])('%s: each step counts once', (_, events, doubts, standing) => {
  const tally = new RunningTally();
  for (const event of events) tally.take(event);
  expect(
    tally.standing(
      10,
      doubts.map((name) => ({ urn: urn(name) })),
    ),
  ).toEqual(standing);
});
