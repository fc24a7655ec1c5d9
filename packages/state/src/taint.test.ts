import type { CairnError } from '@cairn/diagnostics';
import { emptyDeployment } from './serialized.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import { editTaint } from './taint.js';
import { formatVersion } from './write-document.js';

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
const tainted = ({ resources }: SerializedDeployment) => resources.map((each) => each.taint);

test('A15 live entries are marked, stale copies are not', () => {
  const before = stack(entry('a'), entry('b'), entry('a', { delete: true }));
  const { deployment, changed } = editTaint(before, [urn('a')], true);
  expect([tainted(deployment), changed]).toEqual([[true, undefined, undefined], [urn('a')]]);
  expect(formatVersion(deployment)).toEqual({ version: 4, features: ['taint'] });
  expect(tainted(before)).toEqual([undefined, undefined, undefined]);
  expect(editTaint(deployment, [urn('a')], true).changed).toEqual([]);
});

test('A15 marks are taken away, one or all', () => {
  const before = stack(entry('a', { taint: true }), entry('b', { taint: true }), entry('c'));
  expect(tainted(editTaint(before, [urn('b')], false).deployment)).toEqual([true, undefined, undefined]);
  const all = editTaint(before, undefined, false);
  expect(all.changed).toEqual([urn('a'), urn('b')]);
  expect(all.deployment.resources).toEqual([entry('a'), entry('b'), entry('c')]);
});

test('A15 every URN that no live entry has is an error, and nothing is marked', () => {
  const before = stack(entry('a'), entry('b', { delete: true }));
  let diagnostics: CairnError['diagnostics'] = [];
  try {
    editTaint(before, [urn('a'), urn('b'), 'x'], true);
  } catch (error) {
    ({ diagnostics } = error as CairnError);
  }
  expect(diagnostics.map(({ code, summary }) => [code, summary])).toEqual([
    ['CAIRN-STATE-RESOURCE', `no such resource "${urn('b')}" exists in the current state`],
    ['CAIRN-STATE-RESOURCE', 'no such resource "x" exists in the current state'],
  ]);
});
