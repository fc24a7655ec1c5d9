import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** What a program that does something wrong is told, word for word. */

let box: Sandbox;
beforeAll(async () => {
  box = sandbox();
  giveStack(box);
});
afterAll(() => box.remove());

const IMPORTS = `import { CustomResource, ComponentResource, FileAsset, ResourceHook, Stash, call, deferredOutput, interpolate, invoke, output } from '@cairn/sdk';
import { LocalCommand, LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';
`;

async function running(body: string, command: 'up' | 'preview' = 'up'): Promise<Finished> {
  box.write('index.ts', IMPORTS + body);
  return box.cairn(command === 'up' ? ['up', '--yes', '--skip-preview'] : ['preview']);
}

/** What is told in full about what failed, with the code that stands where it happened. */
const errors = ({ text }: Finished): string => {
  const codes = [...text.matchAll(/^error\[[A-Z-]+\]/gm)].map(([code]) => code);
  const [verdict = ''] = /^What failed[^]*?\n(?=\n)/m.exec(text) ?? [];
  return [...new Set(codes), ...verdict.split('\n').slice(1, -1)].join('\n');
};

describe('an error about a resource names the line that declares it', () => {
  test('the provider refuses a property', async () => {
    const end = await running(`
const wrong = new RandomPet('wrong', { length: -1 });
`);
    expect(errors(end)).toMatch(
      /^error\[CAIRN-RESOURCE-CHECK\]\n {4}wrong \(cairn-random:index:Pet\)\n {6}index\.ts:5:15 .*\n {6}cairn-random:index:Pet resource 'wrong': property length value \{-1\} has a problem: /,
    );
  });

  test('the provider fails', async () => {
    const end = await running(`
class Part extends ComponentResource {
  constructor(name: string) {
    super('test:index:Part', name);
    new LocalCommand('failing', { create: 'exit 3' }, { parent: this });
  }
}
new Part('part');
`);
    expect(errors(end)).toMatch(
      /\n {4}failing \(cairn-local:index:Command\)\n {6}index\.ts:8:\d+ [^]*\n {6}hint: Correct the cause and run again\.$/,
    );
    expect(end.code).toBe(4);
  });

  test.each([
    ['a resource', "new CustomResource('nosuch:index:Thing', 'x', {});"],
    ['a resource that is read', "new CustomResource('nosuch:index:Thing', 'x', {}, { id: 'some-id' });"],
    ['a function', "invoke('nosuch:index:ask', {});"],
    ['a function whose answer is awaited', "await invoke('nosuch:index:ask', {});"],
  ])('nobody has the provider of %s', async (_what, code) => {
    const end = await running(`
const pet = new RandomPet('pet', { length: 1 });
${code}
`);
    expect(errors(end)).toMatch(
      /^error\[CAIRN-PLUGIN-NOT-FOUND\]\n {4}default \(pulumi:providers:nosuch\)\n {6}index\.ts:6:\d+ .*\n {6}cannot find the provider plugin nosuch/,
    );
  });

  test('two resources of one name: the second one', async () => {
    const end = await running(`
new RandomPet('same', {});
new RandomPet('same', {});
`);
    expect(end.text).toMatch(/CAIRN-RESOURCE-DUPLICATE[^]*\n {6}index\.ts:6:1 /);
  });

  test('an input that cannot be sent names its path', async () => {
    const end = await running(`
new LocalFile('file', { path: 'a', content: { text: [1, new Map()] } as never });
`);
    expect(errors(end)).toMatch(/content\.text\[1\]/);
    expect(errors(end)).toContain('index.ts:5:1');
  });
});

describe('what a program says wrongly is told with its line', () => {
  test.each([
    [
      'a time limit',
      `new RandomPet('a', {}, { customTimeouts: { create: 'soon' } });`,
      /customTimeouts.create "soon"/,
    ],
    ['a path', `new RandomPet('a', {}, { ignoreChanges: ['a[b'] });`, /ignoreChanges "a\[b"/],
    ['an alias', `new RandomPet('a', {}, { aliases: ['somebody'] });`, /alias "somebody"/],
    ['a version', `new RandomPet('a', {}, { version: 'newest' });`, /version "newest"/],
    [
      'a hook named twice',
      `new ResourceHook('h', () => {}); new ResourceHook('h', () => {});`,
      /already registered for name "h"/,
    ],
    [
      'a transform that throws',
      `new RandomPet('a', {}, { transforms: [() => { throw new Error('no way'); }] });`,
      /no way/,
    ],
    [
      'a hook that throws',
      `new RandomPet('a', {}, { hooks: { beforeCreate: [() => { throw new Error('no way'); }] } });`,
      /no way/,
    ],
    [
      'a function',
      `export const x = invoke('pulumi:pulumi:nothing', {});`,
      /no function pulumi:pulumi:nothing/,
    ],
    [
      'a refused argument',
      `export const x = invoke('pulumi:pulumi:getResource', { urn: 'nobody' });`,
      /the argument "urn" of getResource must be a URN/,
    ],
    [
      'a method',
      `export const x = call('pulumi:index:Stash/nothing', {}, new Stash('s', { input: 1 }));`,
      /cannot call pulumi:index:Stash\/nothing/,
    ],
    [
      'an asset',
      `new Stash('a', { input: new FileAsset('gone.txt') });`,
      /cannot read file "gone.txt" of property "input"/,
    ],
    ['a number', `new RandomPet('a', { length: Number.NaN });`, /length/],
  ])('%s', async (_what, code, message) => {
    const end = await running(`
${code}
`);
    expect(errors(end)).toMatch(message);
    expect(errors(end)).toMatch(/index\.ts:5:\d+/);
  });
});

describe('resources that wait for each other are drawn', () => {
  test('two of them, over outputs that are made of others', async () => {
    const end = await running(`
const [late, resolve] = deferredOutput<string>();
const first = new LocalFile('first', { path: interpolate\`a/\${late}\`, content: 'x' });
const second = new LocalFile('second', { path: 'b', content: first.size.apply((size) => String(size)) });
const third = new LocalFile('third', { path: 'c', content: 'x' }, { dependsOn: [second] });
resolve(output([third.path, 'x']).apply(([path]) => path));
new LocalFile('waiting', { path: 'd', content: third.path });
`);
    expect(errors(end)).toBe(`error[CAIRN-RESOURCE-CYCLE]
    CAIRN-RESOURCE-CYCLE
      circular dependency: resources wait for each other
        ┌→ first [cairn-local:index:File] declared at ${box.directory}/index.ts:6:15: its input "path" waits for
        │  third [cairn-local:index:File] declared at ${box.directory}/index.ts:8:15: an option waits for
        │  second [cairn-local:index:File] declared at ${box.directory}/index.ts:7:16: its input "content" waits for
        └─ first [cairn-local:index:File]`);
    expect(end.code).not.toBe(0);
  });

  test('one that waits for itself', async () => {
    const end = await running(`
const [late, resolve] = deferredOutput<string>();
const only = new LocalFile('only', { path: 'a', content: late });
resolve(only.path);
`);
    expect(errors(end)).toContain('circular dependency: a resource waits for itself');
    expect(errors(end)).toContain('index.ts:6:14: its input "content" waits for its own output');
  });

  test('a promise that nobody resolves is no circle', async () => {
    const end = await running(
      `
const first = new LocalFile('first', { path: 'a', content: new Promise<string>(() => {}) });
new LocalFile('second', { path: 'b', content: first.path });
`,
      'preview',
    );
    expect(errors(end)).not.toContain('waits for itself');
    expect(errors(end)).toMatch(/CAIRN-RESOURCE-CYCLE[^]*first \[cairn-local:index:File\][^]*index\.ts:5:15/);
  });
});

describe('promises that nothing waits for', () => {
  test.each([
    [
      'an error, with its line',
      `
async function late(): Promise<void> {
  await Promise.resolve();
  throw new TypeError('too late');
}
void late();
`,
      /^ {6}TypeError: too late\n {8}at late \(index\.ts:7:9\)\n {8}\(of a promise, or a result of apply, that nothing waits for\)/m,
    ],
    [
      'something that is no error',
      `void Promise.reject('just a text');
`,
      /^ {6}a promise that nothing waits for was rejected with "just a text"/m,
    ],
    [
      'a result of apply',
      `output('x').apply(() => { throw new RangeError('no such thing'); });
`,
      /^ {6}RangeError: no such thing\n {8}at index\.ts:4:\d+\n[^]*that nothing waits for/m,
    ],
  ])('%s', async (_title, body, expected) => {
    const end = await running(body, 'preview');
    expect(end.code).not.toBe(0);
    expect(errors(end)).toMatch(/^error\[CAIRN-PROGRAM-FAILED\]\n/);
    expect(errors(end)).toMatch(expected);
  });
});

describe('a component that never comes to its end', () => {
  const part = (outputs: string): string => `
class Part extends ComponentResource {
  constructor(name: string) {
    super('test:index:Part', name);
    new RandomPet('child', {}, { parent: this });
    this.registerOutputs(${outputs});
  }
}
new Part('part');
`;

  test('an output that nobody resolves names the component and its line', async () => {
    const end = await running(part('{ text: new Promise(() => {}) }'));
    expect(end.code).not.toBe(0);
    expect(errors(end)).toMatch(/outputs of part \[test:index:Part\] declared at .*index\.ts:12:1/);
    // What was done is recorded.
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).toContain('Pet::child');
  });

  test('outputs that are told twice name it as well', async () => {
    const end = await running(part('{}); this.registerOutputs({}'), 'preview');
    expect(errors(end)).toContain('registerOutputs is to be called once, in the constructor');
    expect(errors(end)).toMatch(/at index\.ts:12:1/);
  });

  test('what waits at the top level for nothing is an error', async () => {
    const end = await running(`await new Promise(() => {});\n`);
    expect(end.code).not.toBe(0);
    expect(errors(end)).toContain('a promise at its top level');
  });
});
