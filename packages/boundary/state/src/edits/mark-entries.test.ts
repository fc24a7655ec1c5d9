import type { CairnError } from '@cairn/diagnostics';
import { emptyDeployment } from '../document/serialized.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import { markEntries } from './mark-entries.js';
import { formatVersion } from '../document/write-document.js';

const urn = (name: string) => `urn:pulumi:dev::shop::a:b:C::${name}`;
const entry = (name: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  urn: urn(name),
  custom: true,
  type: 'a:b:C',
  ...more,
});
const stack = (...resources: readonly SerializedResource[]): SerializedDeployment => ({
  ...emptyDeployment,
  resources,
});
const taint = (before: SerializedDeployment, urns: readonly string[] | undefined, on: boolean) =>
  markEntries(before, { mark: 'taint', urns, on });
const tainted = ({ resources }: SerializedDeployment) => resources.map((each) => each.taint);

test('live entries are marked, stale copies are not [DIFF-2]', () => {
  const before = stack(entry('a'), entry('b'), entry('a', { delete: true }));
  const { deployment, changed } = taint(before, [urn('a')], true);
  expect([tainted(deployment), changed]).toEqual([
    [true, undefined, undefined],
    [{ what: 'taint', urn: urn('a') }],
  ]);
  expect(formatVersion(deployment)).toEqual({ version: 4, features: ['taint'] });
  expect(tainted(before)).toEqual([undefined, undefined, undefined]);
  expect(taint(deployment, [urn('a')], true).changed).toEqual([]);
});

test('marks are taken away, one or all [DIFF-2]', () => {
  const before = stack(entry('a', { taint: true }), entry('b', { taint: true }), entry('c'));
  expect(tainted(taint(before, [urn('b')], false).deployment)).toEqual([true, undefined, undefined]);
  const all = taint(before, undefined, false);
  expect(all.changed).toEqual([
    { what: 'untaint', urn: urn('a') },
    { what: 'untaint', urn: urn('b') },
  ]);
  expect(all.deployment.resources).toEqual([entry('a'), entry('b'), entry('c')]);
});

test('every URN that no live entry has is an error, and nothing is marked [DIFF-2]', () => {
  const before = stack(entry('a'), entry('b', { delete: true }));
  let diagnostics: CairnError['diagnostics'] = [];
  try {
    taint(before, [urn('a'), urn('b'), 'x'], true);
  } catch (error) {
    ({ diagnostics } = error as CairnError);
  }
  expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
    ['CAIRN-STATE-RESOURCE', `no such resource "${urn('b')}" exists in the current state`],
    ['CAIRN-STATE-RESOURCE', 'no such resource "x" exists in the current state'],
  ]);
});

test('protection is set and taken away on every copy of a URN, because what waits to be deleted is protected too', () => {
  const before = stack(entry('a'), entry('b'), entry('a', { delete: true, protect: true }));
  const on = markEntries(before, { mark: 'protect', urns: [urn('a')], on: true });
  expect(on.deployment.resources.map(({ protect }) => protect)).toEqual([true, undefined, true]);
  expect(on.changed).toEqual([{ what: 'protect', urn: urn('a') }]);
  const off = markEntries(on.deployment, { mark: 'protect', urns: undefined, on: false });
  expect(off.changed).toHaveLength(2);
  expect(off.deployment.resources).toEqual([entry('a'), entry('b'), entry('a', { delete: true })]);
});
