import { Secret, UNKNOWN, isUnknown } from '@cairn/values';
import { StatusError } from '@cairn/wire';
import { sourceOf } from '../output/brand.js';
import { all, interpolate, output, secret } from '../output/combine.js';
import { gone, map, run } from '../testdata/fake-engine.js';
import { log } from '../log.js';
import type { ComponentResourceOptions } from './options.js';
import { ComponentResource, CustomResource, ProviderResource } from './resource.js';

const STACK = 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev';
const thing = (name: string, inputs: object = {}, options: object = {}) =>
  new CustomResource('test:index:Thing', name, inputs, options);

class Group extends ComponentResource {
  readonly first: CustomResource;
  constructor(name: string, options: ComponentResourceOptions = {}) {
    super('test:index:Group', name, {}, options);
    this.first = new CustomResource('test:index:Thing', `${name}-1`, {}, { parent: this });
    new CustomResource('test:index:Thing', `${name}-2`, {}, { parent: this });
    this.registerOutputs({ first: this.first.id });
  }
}

describe('registrations', () => {
  test('the stack comes first and is the parent of what names no other [PRG-6]', async () => {
    const { engine, code } = await run(() => void thing('a', { size: 3 }));
    expect(code).toBe(0);
    expect(engine.registrations.map(({ type, name, parent }) => [type, name, parent])).toEqual([
      ['pulumi:pulumi:Stack', 'shop-dev', ''],
      ['test:index:Thing', 'a', STACK],
    ]);
    expect(engine.signedOff).toBe(1);
  });

  test('every input key has its dependencies, in URNs, and id and urn are no inputs [PRG-8]', async () => {
    const { engine } = await run(() => {
      const a = thing('a', { size: 3 });
      thing('b', {
        one: a.outputOf('size'),
        two: { deep: [a.id] },
        three: 'x',
        id: 'no',
        urn: 'no',
        none: undefined,
      });
    });
    const b = engine.registration('b');
    const urnA = 'urn:pulumi:dev::shop::test:index:Thing::a';
    expect(b.inputs).toEqual(map({ one: 3, two: map({ deep: ['a-id'] }), three: 'x' }));
    expect(b.propertyDependencies).toEqual({ one: [urnA], two: [urnA], three: [] });
    expect(b.dependencies).toEqual([urnA]);
  });

  test('options of our own travel with the registration; a gate without a reason names the resource', async () => {
    const { engine } = await run(() => {
      thing('a', {}, { rollback: 'hold', idempotencyKey: 'order-7', gate: 'the data team agrees' });
      thing('b', {}, { gate: { reason: ' ' } });
      thing('c');
    });
    expect(engine.registration('a')).toMatchObject({
      rollback: 'hold',
      idempotencyKey: 'order-7',
      gate: 'the data team agrees',
    });
    expect(engine.registration('b').gate).toBe('b [test:index:Thing] needs approval');
    expect([engine.registration('c').gate, engine.registration('c').rollback]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a component in dependsOn stands for its children; a child may name its own parent [PRG-8]', async () => {
    const { engine } = await run(() => {
      const group = new Group('g');
      thing('after', {}, { dependsOn: group });
      thing('inside', {}, { parent: group, dependsOn: [group] });
    });
    const child = (name: string) => `urn:pulumi:dev::shop::test:index:Group$test:index:Thing::${name}`;
    expect(engine.registration('after').dependencies).toEqual([child('g-1'), child('g-2'), child('inside')]);
    expect(engine.registration('inside').dependencies).toEqual([]);
  });

  test('a component sends its outputs once; one that says nothing sends none [PRG-10]', async () => {
    class Silent extends ComponentResource {
      constructor() {
        super('test:index:Silent', 's');
      }
    }
    const { engine } = await run(() => {
      new Group('g');
      new Silent();
    });
    const sent = engine.outputs
      .filter(({ urn }) => !urn.includes('Stack'))
      .map(({ urn, outputs }) => [urn, outputs]);
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual(['urn:pulumi:dev::shop::test:index:Group::g', map({ first: 'g-1-id' })]);
    expect(sent).toContainEqual(['urn:pulumi:dev::shop::test:index:Silent::s', map({})]);
  });

  test('options travel; what is not said is absent [PRG-8]', async () => {
    const { engine } = await run(() => {
      const a = thing('a');
      thing(
        'b',
        {},
        {
          protect: true,
          retainOnDelete: false,
          ignoreChanges: ['x'],
          replaceOnChanges: ['y'],
          deleteBeforeReplace: true,
          aliases: ['urn:pulumi:dev::shop::t:t:t::old', { name: 'older', noParent: true }, { parent: a }],
          import: 'ext-1',
          customTimeouts: { create: '5m' },
          additionalSecretOutputs: ['password'],
          deletedWith: a,
          replaceWith: [a],
          replacementTrigger: { n: 1 },
          version: '1.2.3',
        },
      );
    });
    const urnA = 'urn:pulumi:dev::shop::test:index:Thing::a';
    expect(engine.registration('b')).toMatchObject({
      protect: true,
      retainOnDelete: false,
      ignoreChanges: ['x'],
      replaceOnChanges: ['y'],
      deleteBeforeReplace: true,
      importId: 'ext-1',
      customTimeouts: { create: '5m', update: '', delete: '' },
      additionalSecretOutputs: ['password'],
      deletedWith: urnA,
      replaceWith: [urnA],
      replacementTrigger: { n: 1 },
      package: { version: '1.2.3' },
      aliasSpecs: true,
      accepts: { secrets: true, resources: true, partialValues: true, resultReporting: true },
      aliases: [
        { kind: 'urn', urn: 'urn:pulumi:dev::shop::t:t:t::old' },
        { kind: 'spec', name: 'older', type: '', parent: { kind: 'none' } },
        { kind: 'spec', name: '', parent: { kind: 'urn', urn: urnA } },
      ],
    });
    expect(engine.registration('a')).toMatchObject({
      protect: undefined,
      retainOnDelete: undefined,
      deleteBeforeReplace: undefined,
    });
  });

  test('providers: explicit, inherited through components, and of the right package [PRG-8]', async () => {
    const { engine } = await run(() => {
      const provider = new ProviderResource('test', 'p', { region: 'x' });
      thing('direct', {}, { provider });
      new Group('g', { providers: [provider] });
      expect(() => new CustomResource('other:index:Thing', 'wrong', {}, { provider })).toThrow(
        /needs a provider of package "other"/,
      );
    });
    const reference = 'urn:pulumi:dev::shop::pulumi:providers:test::p::p-id';
    expect(engine.registration('p')).toMatchObject({
      type: 'pulumi:providers:test',
      custom: true,
      inputs: { region: 'x' },
    });
    expect(engine.registration('direct').provider).toBe(reference);
    expect(engine.registration('g').providers).toEqual({ test: reference });
    expect(engine.registration('g-1').provider).toBe(reference);
  });

  test('the position is where the program calls the outermost constructor', async () => {
    const { engine } = await run(() => void new Group('g'));
    expect(engine.registration('g').sourcePosition).toMatchObject({
      uri: expect.stringMatching(/resource\.test\.ts$/) as string,
    });
    expect(engine.registration('g').sourcePosition?.line).toBeGreaterThan(0);
  });

  test.each([
    ['no name', () => thing(''), /needs a name/],
    ['a type without three parts', () => new CustomResource('bad', 'x'), /package:module:name/],
    ['a parent that is none', () => thing('x', {}, { parent: {} }), /parent is not a resource/],
  ])('refuses %s', async (_what, declare, message) => {
    await run(() => expect(declare).toThrow(message));
    expect.assertions(1);
  });

  test('get reads an object and sends no registration [PRG-11]', async () => {
    const { engine, code } = await run(
      () => ({ size: thing('a', { size: 1 }, { id: 'ext' }).outputOf('size') }),
      { behaviour: { read: async () => map({ size: 9 }) } },
    );
    expect(code).toBe(0);
    expect(engine.reads[0]).toMatchObject({ id: 'ext', name: 'a', properties: { size: 1 } });
    expect(engine.registrations).toHaveLength(1);
    expect(engine.stackOutputs).toEqual(map({ size: 9 }));
  });

  test.each([
    ['as its provider reports it', 'canonical', 'canonical'],
    ['as it was given, if the engine does not send it', '', 'ext'],
  ])('the id of what is read, %s [PRG-11]', async (_what, readId, id) => {
    const { engine } = await run(() => ({ id: thing('a', {}, { id: 'ext' }).id }), { behaviour: { readId } });
    expect(engine.stackOutputs).toEqual(map({ id }));
  });
});

describe('answers', () => {
  test('inputs that the answer lacks are filled in; secrets lift to the property [PRG-9]', async () => {
    const { engine } = await run(
      () => {
        const a = thing('a', { size: 3 });
        return { size: a.outputOf('size'), made: a.outputOf('made'), none: a.outputOf('none') };
      },
      {
        behaviour: {
          register: async (r) => (r.custom ? { outputs: map({ made: map({ deep: new Secret('s') }) }) } : {}),
        },
      },
    );
    expect(engine.stackOutputs).toEqual(map({ size: 3, made: new Secret(map({ deep: 's' })) }));
    expect(engine.logs).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('none') as string },
    ]);
  });

  test('in preview what is missing is not known, functions of it are not called, dependents get unknowns [PRG-9]', async () => {
    let called = 0;
    const { engine, code } = await run(
      () => {
        const a = thing('a', { size: 3 });
        const made = a.outputOf<string>('made').apply((text) => {
          called += 1;
          return text.length;
        });
        thing('b', { made, id2: a.id, size: a.outputOf('size') });
        return { made, partly: all([made, 'x']) };
      },
      { settings: { dryRun: true } },
    );
    expect([code, called]).toEqual([0, 0]);
    const { inputs } = engine.registration('b');
    expect(isUnknown(inputs['made'])).toBe(true);
    expect(isUnknown(inputs['id2'])).toBe(true);
    expect(inputs['size']).toBe(3);
    expect(engine.stackOutputs).toEqual(map({ made: UNKNOWN, partly: [UNKNOWN, 'x'] }));
  });

  test('a resource the engine reports as failed ends the program with 32 and no word, and its dependents too [PRG-9]', async () => {
    const { engine, code } = await run(
      () => {
        const a = thing('a');
        thing('b', { from: a.id });
        thing('c');
      },
      { behaviour: { register: async ({ name }) => (name === 'a' ? { result: 'fail' } : {}) } },
    );
    expect(code).toBe(32);
    expect(engine.logs).toEqual([]);
    expect(engine.registrations.map(({ name }) => name)).toEqual(['shop-dev', 'a', 'c']);
    expect(engine.signedOff).toBe(1);
  });

  test('a monitor that is gone ends the program with 32 and no word [PRG-5]', async () => {
    const { engine, code } = await run(() => void thing('a'), {
      behaviour: { register: async ({ name }) => (name === 'a' ? gone() : {}) },
    });
    expect([code, engine.logs, engine.signedOff]).toEqual([32, [], 0]);
  });

  test('any other refusal is reported with resource, reason and line [PRG-9]', async () => {
    const { engine, code } = await run(() => void thing('a'), {
      behaviour: {
        register: async ({ name }) => {
          if (name === 'a') throw new StatusError('INVALID_ARGUMENT', 'no such thing');
          return {};
        },
      },
    });
    expect(code).toBe(32);
    expect(engine.logs).toMatchObject([{ severity: 'error' }]);
    expect(engine.logs[0]?.message).toMatch(
      /^CAIRN-RESOURCE-OPTION: cannot register a \[test:index:Thing\]: no such thing\n {4}at .*resource\.test\.ts:\d+:\d+$/,
    );
  });
});

describe('programs', () => {
  test('outputs: secrets, interpolation, resources flattened', async () => {
    const { engine } = await run(() => {
      const a = thing('a', { size: 3 });
      return {
        text: interpolate`size ${a.outputOf('size')}!`,
        login: secret('p'),
        nested: { key: output(secret('q')) },
        a,
      };
    });
    expect(engine.stackOutputs).toEqual(
      map({
        text: 'size 3!',
        login: new Secret('p'),
        nested: map({ key: new Secret('q') }),
        a: map({ size: 3, urn: 'urn:pulumi:dev::shop::test:index:Thing::a', id: 'a-id' }),
      }),
    );
  });

  test.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('no luck');
      },
      /^CAIRN-PROGRAM-FAILED: no luck\n {4}at .*resource\.test\.ts:\d+:\d+/,
    ],
    [
      'throws what is no error',
      () => {
        throw 'text';
      },
      /^CAIRN-PROGRAM-FAILED: the program threw "text"$/,
    ],
    [
      'fails in an output',
      () => ({
        x: output(1).apply(() => {
          throw new TypeError('bad');
        }),
      }),
      /^CAIRN-PROGRAM-FAILED: TypeError: bad/,
    ],
    [
      'gives a value that is no property',
      () => void thing('a', { when: { at: new Date(0) } }),
      /cannot register a .*: when\.at is a Date/,
    ],
    [
      'gives a value that contains itself',
      () => {
        const o: Record<string, unknown> = {};
        o['o'] = o;
        thing('a', { o });
      },
      /contains itself/,
    ],
  ])('a program that %s ends with 32 and is told why once [PRG-5]', async (_what, program, message) => {
    const { engine, code } = await run(program);
    expect(code).toBe(32);
    expect(engine.logs).toHaveLength(1);
    expect(engine.logs[0]).toMatchObject({
      severity: 'error',
      message: expect.stringMatching(message) as string,
    });
    expect(engine.signedOff).toBe(0);
  });

  test('a program that logs an error does not end well', async () => {
    const { engine, code } = await run(() => void log.error('broken', {}));
    expect([code, engine.logs.length, engine.signedOff]).toEqual([32, 1, 1]);
  });

  test('resources that wait for each other are named', async () => {
    const { engine, code } = await run(() => {
      const later: { b?: CustomResource } = {};
      const a = thing('a', {
        x: output(new Promise((resolve) => setImmediate(() => resolve(later.b?.id)))),
      });
      later.b = thing('b', { y: a.id });
    });
    expect(code).toBe(32);
    expect(engine.logs[0]?.message).toMatch(
      /^CAIRN-RESOURCE-CYCLE: circular dependency: resources wait for each other\n {2}┌→ a \[test:index:Thing\] declared at .*: its input "x" waits for\n {2}│ {2}b \[.*: its input "y" waits for\n {2}└─ a \[/,
    );
  });

  test('a promise at the top level that nobody resolves is an error', async () => {
    const { engine, code } = await run(() => new Promise(() => {}));
    expect(code).toBe(32);
    expect(engine.logs[0]?.message).toMatch(/waits for something that is never resolved/);
  });
});

test('outputs that are named as secret are so also when they are not known yet', async () => {
  await run(
    async () => {
      const options = { additionalSecretOutputs: ['later'] };
      const thing = new CustomResource('test:index:Thing', 'thing', {}, options);
      expect(await sourceOf(thing.outputOf('later'))).toMatchObject({ value: UNKNOWN, secret: true });
      expect(await sourceOf(thing.outputOf('other'))).toMatchObject({ value: UNKNOWN, secret: false });
    },
    { settings: { dryRun: true } },
  );
  expect.assertions(2);
});
