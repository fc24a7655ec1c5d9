import { asUrn } from '@cairn/addresses';
import type { Reason } from '@cairn/engine';
import { reasonJson } from '@cairn/operations';

const urn = asUrn('urn:pulumi:dev::shop::a:b:Bucket::logs');

test.each<[Reason, object]>([
  [{ t: 'new' }, { reason: 'it is new', why: { kind: 'new' } }],
  [
    { t: 'property', keys: ['name'], replaces: true, sources: [{ key: 'name', urn, step: 'replace' }] },
    {
      reason: 'name cannot be changed in place: name comes from Bucket "logs", which is replaced',
      why: {
        kind: 'property',
        keys: ['name'],
        replaces: true,
        sources: [{ key: 'name', urn, step: 'replace' }],
      },
    },
  ],
  [
    { t: 'dependency', urn, link: 'property', keys: ['a', 'b'] },
    {
      reason: 'a, b come from Bucket "logs", which is replaced',
      why: { kind: 'dependency', urn, link: 'property', keys: ['a', 'b'] },
    },
  ],
  [
    { t: 'provider', from: undefined, to: undefined },
    { reason: 'its provider changed', why: { kind: 'provider' } },
  ],
])('%j in JSON: a phrase and the data', (reason, expected) => {
  expect(reasonJson(reason)).toEqual({ cairn: expected });
});
