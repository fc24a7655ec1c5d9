import { Secret, UNKNOWN } from '@cairn/values';
import { call, invoke } from './invoke.js';
import { sourceOf } from './output/brand.js';
import { secret } from './output/combine.js';
import type { OutputHandle } from './output/brand.js';
import { ComponentResource, CustomResource, ProviderResource } from './resource/resource.js';
import { StackReference } from './stack/stack-reference.js';
import { map, run } from './testdata/fake-engine.js';

const resolve = async (out: unknown) => sourceOf(out as OutputHandle<unknown>);

describe('invoke [INV-3]', () => {
  test('sends bare arguments with what they depend on; a secret argument makes the answer secret', async () => {
    const { engine } = await run(async () => {
      const provider = new ProviderResource('test', 'p');
      const a = new CustomResource('test:index:Thing', 'a');
      const answer = await resolve(invoke('test:index:lookup', { key: secret('k'), of: a.id }, { provider }));
      expect(answer).toMatchObject({ value: { key: 'k', of: 'a-id' }, secret: true });
      expect([...answer.dependencies]).toEqual([a]);
    });
    expect(engine.invokes).toMatchObject([
      {
        token: 'test:index:lookup',
        args: { key: 'k', of: 'a-id' },
        dependsOn: ['urn:pulumi:dev::shop::test:index:Thing::a'],
        provider: 'urn:pulumi:dev::shop::pulumi:providers:test::p::p-id',
      },
    ]);
  });

  test('an unknown argument: not asked, answer unknown', async () => {
    const { engine } = await run(
      async () => {
        const a = new CustomResource('test:index:Thing', 'a');
        expect((await resolve(invoke('test:index:lookup', { of: a.id }))).value).toBe(UNKNOWN);
      },
      { settings: { dryRun: true } },
    );
    expect(engine.invokes).toEqual([]);
  });

  test('refusals name the argument; an answer that is not known yet is unknown', async () => {
    const answers = [
      {
        result: map({}),
        failures: [
          { property: 'key', reason: 'too long' },
          { property: '', reason: 'and odd' },
        ],
        unknown: false,
      },
      { result: map({}), failures: [], unknown: true },
    ];
    await run(
      async () => {
        await expect(resolve(invoke('t:i:f'))).rejects.toThrow(
          't:i:f refused its arguments: key: too long; and odd',
        );
        expect((await resolve(invoke('t:i:f'))).value).toBe(UNKNOWN);
      },
      { behaviour: { invoke: async () => answers.shift() as (typeof answers)[0] } },
    );
    expect.assertions(2);
  });
});

test('a method call keeps outputs and names the receiver [INV-5]', async () => {
  class Remote extends ComponentResource {
    constructor(name: string, inputs: object) {
      super('test:index:Remote', name, inputs, {}, true);
    }
  }
  const { engine } = await run(async () => {
    const a = new CustomResource('test:index:Thing', 'a');
    const remote = new Remote('r', { from: a.id, login: secret('s') });
    await resolve(call('test:index:Remote/list', { of: a.id }, remote));
  });
  const urnA = 'urn:pulumi:dev::shop::test:index:Thing::a';
  const { remote, inputs } = engine.registration('r');
  expect(remote).toBe(true);
  expect(inputs['from']).toMatchObject({ value: 'a-id', secret: false, dependencies: [urnA] });
  expect(inputs['login']).toMatchObject({ value: 's', secret: true, dependencies: [] });
  expect(engine.calls[0]).toMatchObject({
    token: 'test:index:Remote/list',
    args: {
      of: { value: 'a-id', dependencies: [urnA] },
      __self__: { urn: 'urn:pulumi:dev::shop::test:index:Remote::r' },
    },
    argDependencies: { of: [urnA] },
  });
});

describe('StackReference [PROV-9]', () => {
  const behaviour = {
    read: async () =>
      map({
        name: 'other',
        outputs: map({ open: 1, login: new Secret('p') }),
        secretOutputNames: ['login', 'named'],
      }),
  };
  test('outputs keep their own secretness', async () => {
    const { engine } = await run(
      async () => {
        const other = new StackReference('org/other/dev');
        expect(await resolve(other.getOutput('open'))).toMatchObject({ value: 1, secret: false });
        expect(await resolve(other.getOutput('login'))).toMatchObject({ value: 'p', secret: true });
        expect(await resolve(other.getOutput('none'))).toMatchObject({ value: undefined });
        expect(await other.getOutputValue('open')).toBe(1);
        await expect(other.getOutputValue('login')).rejects.toThrow(/is secret/);
        await expect(resolve(other.requireOutput('none'))).rejects.toThrow(
          'stack "org/other/dev" has no output "none"',
        );
      },
      { behaviour },
    );
    expect(engine.reads).toMatchObject([
      { type: 'pulumi:pulumi:StackReference', id: 'org/other/dev', properties: { name: 'org/other/dev' } },
    ]);
    expect.assertions(7);
  });
});
