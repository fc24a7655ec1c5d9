import { inProcessCaller, ScriptedTerraformProvider } from '@cairn/testkit/terraform';
import type { RecordedCall, ScriptRule } from '@cairn/testkit/terraform';
import type { NotationJson } from '@cairn/tfplugin/notation';
import { blockOf, valueOf } from '@cairn/tfplugin/notation';
import { TerraformClient } from '../src/index.js';
import type { Exchanged, LifecycleCase } from './lifecycle-case.js';
import { lifecycleCases } from './lifecycle-case.js';
import { LifecycleDriver } from './lifecycle-driver.js';

/** Calls that every operation makes, and that exchanges omit. */
const LEFT_OUT = new Set<string>([
  ...['getProviderSchema', 'getResourceIdentitySchemas', 'configureProvider', 'validateProviderConfig'],
  ...['validateResourceConfig', 'validateDataResourceConfig', 'validateEphemeralResourceConfig'],
]);
const PRIVATE = ['private', 'priorPrivate', 'plannedPrivate'];
const STORED = ['rawState', 'sourceState'];

function rulesOf({ validate = [], plan, apply = [] }: LifecycleCase): readonly ScriptRule[] {
  const all: readonly Pick<Exchanged, 'call' | 'type' | 'answer'>[] = [...validate, ...plan, ...apply];
  return all.map(({ call, type, answer }) => ({
    call,
    ...(type !== undefined && { type }),
    times: 1,
    answer,
  }));
}

/** Returns the parts of a request that a case contains, and private bytes, which a case must contain. */
function comparable({ call, request }: RecordedCall, asked: Exchanged['asked'] = {}): object {
  const parts = Object.entries(request).filter(([name]) => name in asked || PRIVATE.includes(name));
  const read = (name: string, part: NotationJson) =>
    STORED.includes(name) ? (JSON.parse(part as string) as NotationJson) : part;
  return { call, ...Object.fromEntries(parts.map(([name, part]) => [name, read(name, part)])) };
}

function compareCalls(
  recorded: readonly RecordedCall[],
  expected: readonly Exchanged[],
  anyOrder: boolean,
): void {
  const like = (call: string, at: number) =>
    anyOrder ? expected.find((each) => each.call === call) : expected[at];
  const got = recorded.map((each, at) => comparable(each, like(each.call, at)?.asked));
  const wanted = expected.map(({ call, asked }) => ({ call, ...asked }));
  if (anyOrder) expect(sorted(got)).toEqual(sorted(wanted));
  else expect(got).toEqual(wanted);
}

const cases = lifecycleCases();

test('every case is there once', () => {
  const ids = cases.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(cases.map((each) => [each.id, each.title, each] as const))('%s: %s', async (_id, _title, given) => {
  const { protocol = 6, provider: definition, settings = {}, expect: wanted, anyOrder = false } = given;
  const provider = new ScriptedTerraformProvider({
    ...definition,
    capabilities: { planDestroy: true, ...definition.capabilities },
    protocol,
    rules: rulesOf(given),
  });
  const caller = inProcessCaller([provider.service()]);
  const client = await TerraformClient.connect({ name: 'acme/sample', protocolVersion: protocol, caller });
  const config = valueOf(blockOf(definition.provider ?? {}), settings);
  await client.validateProvider(config);
  await client.configure(config);
  let planned = 0;
  const told = () => provider.calls.filter(({ call }) => !LEFT_OUT.has(call));
  const outcome = await new LifecycleDriver(client, given).run(() => (planned = told().length));
  compareCalls(told().slice(0, planned), given.plan, anyOrder);
  compareCalls(told().slice(planned), given.apply ?? [], anyOrder);
  if (wanted.changes !== undefined) expect(sorted(outcome.changes)).toEqual(sorted(wanted.changes));
  if (given.command !== 'destroy') expect(outcome.drift).toEqual(wanted.drift ?? []);
  expect([...outcome.told].sort()).toEqual([...(wanted.told ?? [])].sort());
  expect([...outcome.toldByApply].sort()).toEqual([...(wanted.toldByApply ?? [])].sort());
  if (wanted.after !== undefined) expect(sorted(outcome.after)).toEqual(sorted(wanted.after));
  expect(provider.requests('configureProvider')).toEqual([expect.objectContaining({ config: settings })]);
});

/** Returns objects as texts that do not depend on the order of keys, sorted. */
function sorted(all: readonly object[]): readonly string[] {
  return all.map((each) => JSON.stringify(inOrder(each))).sort();
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, inOrder(each)]),
  );
}
