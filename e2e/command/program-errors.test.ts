import { existsSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Shows the errors of faulty programs, word for word. */

let box: Sandbox;
beforeAll(async () => {
  box = sandbox();
  giveStack(box);
});
afterAll(() => box.remove());

const IMPORTS = `import { Config, CustomResource, ComponentResource, FileAsset, ResourceHook, Stash, call, deferredOutput, interpolate, invoke, output } from '@cairn/sdk';
import { LocalCommand, LocalFile } from '@cairn/provider-local';
import { RandomPet } from '@cairn/provider-random';
`;

async function running(body: string, command: 'up' | 'preview' = 'up'): Promise<Finished> {
  box.write('index.ts', IMPORTS + body);
  return box.cairn(command === 'up' ? ['up', '--yes', '--skip-preview'] : ['preview']);
}

/** Lines of the verdict. */
const errors = ({ text }: Finished): string => {
  const [verdict = ''] = /^What failed[^]*?\n(?=\n)/m.exec(text) ?? [];
  return verdict.split('\n').slice(1, -1).join('\n');
};

describe('an error about a resource names the line that declares it', () => {
  test('the provider refuses a property', async () => {
    const end = await running(`
const wrong = new RandomPet('wrong', { length: -1 });
`);
    expect(errors(end)).toMatch(
      /^ {4}wrong \(cairn-random:index:Pet\)\n {6}index\.ts:5:15 .*\n {6}error\[CAIRN-RESOURCE-CHECK\]: cairn-random:index:Pet resource 'wrong': property length value \{-1\} has a problem: /,
    );
    expect(end.text.match(/has a problem/g)).toHaveLength(1);
    expect(end.text).toMatch(/^ ! .*:Pet wrong \*\*failed\*\* {2}CAIRN-RESOURCE-CHECK$/m);
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
      /^ {4}failing \(cairn-local:index:Command\)\n {6}index\.ts:8:\d+ [^]*\n {6}hint: Correct the cause and run again\.$/,
    );
    expect(end.text.match(/exited with code 3/g)).toHaveLength(1);
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
      /^ {4}default \(pulumi:providers:nosuch\)\n {6}index\.ts:6:\d+ .*\n {6}error\[CAIRN-PLUGIN-NOT-FOUND\]: cannot find the provider plugin nosuch/,
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

describe('a mistake is reported with its line and the next step', () => {
  beforeAll(async () => {
    const values = ['count=many', 'flag=maybe', 'list=[1'].flatMap((value) => ['--plaintext', value]);
    const secrets = ['pin=many', 'parts=[1'].flatMap((value) => ['--secret', value]);
    expectOk(await box.cairn(['config', 'set-all', ...values, ...secrets]));
  });

  const PATH = 'Correct the path of the import: there is no such file.';
  test.each([
    [
      'a number that is none',
      "new Config().requireNumber('count');",
      /"[^"]+:count" is not a number/,
      /`cairn config set \S+:count VALUE`/,
    ],
    [
      'is not true or false',
      "new Config().requireBoolean('flag');",
      /:flag" is not true or false/,
      /config set \S+:flag VALUE/,
    ],
    [
      'a list that is not JSON',
      "new Config().requireObject('list');",
      /:list" is not JSON/,
      /config set --path \S+:list\.NAME/,
    ],
    [
      'a secret number that is none',
      "new Config().requireNumber('pin');",
      /secret configuration value "[^"]+:pin" is not a number/,
      /`cairn config set --secret \S+:pin` asks for it/,
    ],
    [
      'a secret list that is not JSON',
      "new Config().requireObject('parts');",
      /:parts" is not JSON/,
      /config set --secret --path \S+:parts\.NAME` asks/,
    ],
    [
      'a number that the program wants to be secret',
      "new Config().requireSecretNumber('count');",
      /:count" is not a number/,
      /`cairn config set --secret \S+:count`/,
    ],
    [
      'a value that is not set',
      "new Config().require('none');",
      /:none" is not set; set it with: cairn config set/,
      undefined,
    ],
    [
      'a package that is not there',
      "import left from 'left-pad-of-nobody/sub';\nnew RandomPet(left);",
      /Cannot find package 'left-pad-of-nobody'/,
      /Run `npm install left-pad-of-nobody`/,
    ],
    [
      'a file that is not there',
      "import left from './left.js';\nnew RandomPet(left);",
      /Cannot find module '.*left\.js'/,
      new RegExp(PATH),
    ],
    [
      'a name of its own package that is not there',
      "import left from '#left';\nnew RandomPet(left);",
      /Package import specifier "#left" is not defined/,
      /Correct the import, or add "#left" to `imports` in package\.json/,
    ],
    [
      'a part that a package does not export',
      "/* '@cairn/sdk/nothing' */ import left from '@cairn/sdk/nothing';\nnew RandomPet(left);",
      /Package subpath '\.\/nothing' is not defined/,
      /Import a name that the package exports. It does not export nothing/,
    ],
    [
      'a type with a typing error',
      "new CustomResource('cairn-random:index:Pett', 'a', {});",
      /has no resource type cairn-random:index:Pett; did you mean cairn-random:index:Pet\?/,
      undefined,
    ],
    [
      'a package with a typing error',
      "new CustomResource('cairn-randon:index:Pet', 'a', {});",
      /cannot find the provider plugin cairn-randon/,
      /Did you mean cairn-random\? That package is installed\./,
    ],
  ])('%s', async (_what, code, said, next) => {
    const end = await running(code, 'preview');
    expect(errors(end)).toMatch(said);
    expect(errors(end)).toMatch(/index\.ts:4:\d+/);
    if (next !== undefined) expect(errors(end)).toMatch(next);
    expect(end.code).not.toBe(0);
  });

  test('a promise at the top level that is never resolved', async () => {
    const end = await running('await new Promise(() => {});', 'preview');
    expect(errors(end)).toContain('hint: Resolve the promise, or reject it: nothing is left that could.');
  });

  test.each([
    ['0', 1],
    ['3', 3],
  ])('process.exit(%s)', async (code, ended) => {
    const end = await running(`process.exit(${code});`, 'preview');
    expect(end.text).toMatch(/process\.exit was called before [^]*throw an error\.\n\s+at \S+index\.ts:4:9/);
    expect(end.text).toContain(`Program exited with non-zero exit code: ${ended}`);
    expect(end.code).not.toBe(0);
  });

  test('an exit by the name of the function', async () => {
    const end = await running("import { exit } from 'node:process';\nexit(3);", 'preview');
    expect(end.text).toMatch(/process\.exit was called before [^]*\n\s+at \S+index\.ts:5:1/);
    expect(errors(end)).toMatch(/exit code: 3\n {6}hint: Let the program end on its own/);
  });

  test('a module that Node does not have', async () => {
    const end = await running("import left from 'node:fss';\nnew RandomPet(left);", 'preview');
    expect(errors(end)).toMatch(/No such built-in module: node:fss[^]*hint: Correct the import/);
  });

  test('a project file that is no YAML is reported once, with its line', async () => {
    const other = sandbox();
    try {
      other.write('Cairn.yaml', 'name: shop\nruntime: [nodejs\nmain: x\n');
      const end = await other.cairn(['preview']);
      expect(end.text.match(/invalid YAML/g)).toHaveLength(1);
      expect(end.text).toMatch(/at \S+Cairn\.yaml:3:1/);
    } finally {
      await other.remove();
    }
  });
});

describe('a program that does not come to its end deletes nothing', () => {
  const PULUMI = `import * as pulumi from '@pulumi/pulumi';
class Page extends pulumi.CustomResource {
  constructor(name: string, input: unknown) { super('cairn-local:index:File', name, { path: name + '.txt', content: input }); }
}
`;
  const OURS = `import { LocalFile } from '@cairn/provider-local';
class Page extends LocalFile {
  constructor(name: string, input: unknown) { super(name, { path: name + '.txt', content: input as never }); }
}
`;
  const two = "new Page('one', 'x'); new Page('two', 'y');";
  let other: Sandbox;
  beforeAll(() => {
    other = sandbox();
    giveStack(other);
  });
  afterAll(() => other.remove());

  const ups = async (program: string): Promise<Finished> => {
    other.write('index.ts', program);
    return other.cairn(['up', '--yes', '--skip-preview']);
  };
  const made = (): number =>
    ['one.txt', 'two.txt'].filter((file) => existsSync(path.join(other.directory, file))).length;

  test.each([
    ['@pulumi/pulumi', PULUMI],
    ['@cairn/sdk', OURS],
  ])('%s', async (_sdk, head) => {
    expectOk(await ups(head + two));
    for (const [rest, said] of [
      [
        "new Page('one', 'x');\nexport default (async () => { await new Promise(() => {}); new Page('two', 'y'); })();",
        /Resolve the promise, or reject it/,
      ],
      ["new Page('one', 'x');\nnew Page('two', new Promise(() => {}));", /two/],
      ["new Page('one', 'x');\nprocess.exitCode = 3;", /exit code: 3/],
      [
        "new Page('one', 'x');\nsetTimeout(() => process.exit(3), 1);",
        /index\.ts:6:\d+\D[^]*hint: Let the program end/,
      ],
      ["new Page('one', 'x');\nsetTimeout(() => process.exit(0), 1);", /was called before|exit code: 1/],
    ] as const) {
      const end = await ups(head + rest);
      expect(end.text).toMatch(said);
      expect(end.code).not.toBe(0);
      expect(made()).toBe(2);
    }
    expectOk(await ups(`${head}new Page('one', 'x');`));
    expect(made()).toBe(1);
  });

  test.each([
    [
      "const count = new pulumi.Config().requireNumber('count');",
      /config set --secret \S+:count` asks for it/,
    ],
    [
      "import left from 'left-pad-of-nobody';\nnew Page('one', left);",
      /Run `npm install left-pad-of-nobody`/,
    ],
  ])('the next step after: %s', async (body, next) => {
    expectOk(await other.cairn(['config', 'set', '--secret', 'count', 'many']));
    const end = await ups(PULUMI + body);
    expect(errors(end)).toMatch(next);
    expect(end.code).not.toBe(0);
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
    expect(errors(end))
      .toBe(`    error[CAIRN-RESOURCE-CYCLE]: circular dependency: resources wait for each other
      ┌→ first [cairn-local:index:File] declared at ${box.directory}/index.ts:6:15: its input "path" waits for
      │  third [cairn-local:index:File] declared at ${box.directory}/index.ts:8:15: an option waits for
      │  second [cairn-local:index:File] declared at ${box.directory}/index.ts:7:16: its input "content" waits for
      └─ first [cairn-local:index:File]
      hint: Set one of these inputs from a value that is known before: a constant, the configuration, or another resource.`);
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
      /\]: TypeError: too late\n {6}at late \(index\.ts:7:9\)\n {6}\(of a promise, or a result of apply, that nothing awaits\)/m,
    ],
    [
      'something that is no error',
      `void Promise.reject('just a text');
`,
      /\]: a promise that nothing awaits was rejected with "just a text"/m,
    ],
    [
      'a result of apply',
      `output('x').apply(() => { throw new RangeError('no such thing'); });
`,
      /\]: RangeError: no such thing\n {6}at index\.ts:4:\d+\n[^]*that nothing awaits/m,
    ],
  ])('%s', async (_title, body, expected) => {
    const end = await running(body, 'preview');
    expect(end.code).not.toBe(0);
    expect(errors(end)).toMatch(/^ {4}error\[CAIRN-PROGRAM-FAILED\]: /);
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
    // Completed steps are recorded.
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).toContain('Pet::child');
  });

  test('outputs that are told twice name it as well', async () => {
    const end = await running(part('{}); this.registerOutputs({}'), 'preview');
    expect(errors(end)).toContain('call registerOutputs once, in the constructor');
    expect(errors(end)).toMatch(/at index\.ts:12:1/);
  });

  test('what waits at the top level for nothing is an error', async () => {
    const end = await running(`await new Promise(() => {});\n`);
    expect(end.code).not.toBe(0);
    expect(errors(end)).toContain('a promise at its top level');
  });
});
