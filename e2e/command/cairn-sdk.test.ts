import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished, Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { filesContaining } from '../support/search.js';

/** Programs on our own SDK with the shipped providers. */

const up = ['up', '--yes', '--skip-preview'] as const;

const PART = `
import { ComponentResource, secret } from '@cairn/sdk';
import type { Output } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
import { RandomString } from '@cairn/provider-random';
export class Part extends ComponentResource {
  readonly text: Output<string>;
  constructor(name: string, options = {}) {
    super('test:index:Part', name, {}, options);
    const text = new RandomString('text', { length: 6, special: false }, { parent: this });
    new LocalFile('file', { path: 'out/part.txt', content: text.result }, { parent: this });
    this.text = text.result;
    this.registerOutputs({ text: text.result, hidden: secret('planted-component') });
  }
}
export function broken(): never {
  throw new RangeError('out of bounds');
}
`;

const PROGRAM = `
import { Config, ProviderResource, ResourceError, all, interpolate, isDryRun, log, output, secret } from '@cairn/sdk';
import { LocalCommand, LocalFile } from '@cairn/provider-local';
import { RandomPet, RandomString } from '@cairn/provider-random';
import { Part, broken } from './part.js';
const config = new Config();
const round: string = await Promise.resolve(config.get('round') ?? '1');
log.info('round ' + round);
const mine = new ProviderResource('cairn-random', 'mine', {});
const part = new Part(round === '1' ? 'part' : 'piece', { aliases: [{ name: 'part' }] });
const first = new RandomPet('first', { keepers: { round } }, { provider: mine });
const second = new RandomString('second', { length: 8, keepers: { round } }, { deleteBeforeReplace: true });
const user = new LocalFile('user', { path: 'out/user.txt', content: interpolate\`\${first.result} \${second.result} \${secret('planted-input')}\` });
new LocalCommand('noted', { create: 'echo create $ROUND >> noted.log', delete: 'echo delete $ROUND >> noted.log', environment: { ROUND: round }, triggers: [round] }, { dependsOn: [user] });
export default async function () {
  switch (config.get('mode')) {
    case 'throw': broken();
    case 'resource': throw new ResourceError('is odd', first);
    case 'apply': first.result.apply(() => { throw new Error('apply broke'); }); break;
    case 'output': return { x: output(Promise.reject(new Error('rejected output'))) };
    case 'exit': process.exit(0);
    case 'leak': return { x: output(new Promise<string>(() => undefined)) };
    case 'failing': new LocalCommand('failing', { create: 'echo oops >&2; exit 3' });
  }
  return { name: first.result, sum: all([first.result, second.result]).apply(([a, b]) => a.length + b.length), hidden: secret('planted-output'), dry: isDryRun(), nested: { list: [part.text] } };
}
`;

const COMMONJS = `
const { RandomPet } = require('@cairn/provider-random');
const { output } = require('@cairn/sdk');
const pet = new RandomPet('pet', { prefix: 'common' });
module.exports = { pet: pet.result, sum: output([1, 2]).apply((each) => each.length) };
`;

interface Entry {
  readonly urn: string;
  readonly id?: string;
  readonly provider?: string;
  readonly [key: string]: unknown;
}

async function entries(box: Sandbox, cwd = box.directory): Promise<ReadonlyMap<string, Entry>> {
  const { stdout } = expectOk(await box.cairn(['stack', 'export'], { cwd }));
  const { deployment } = JSON.parse(stdout) as { deployment: { resources?: Entry[] } };
  return new Map((deployment.resources ?? []).map((entry) => [entry.urn.split('::').at(-1) ?? '', entry]));
}

describe('programs on @cairn/sdk', () => {
  let box: Sandbox;
  const run = (words: readonly string[], folder = ''): Promise<Finished> =>
    box.cairn(words, { cwd: path.join(box.directory, folder) });

  beforeAll(async () => {
    box = sandbox({
      'index.ts': PROGRAM,
      'part.ts': PART,
      'common/Cairn.yaml': 'name: common\nruntime: nodejs\nmain: index.js\n',
      'common/package.json': JSON.stringify({ name: 'common', dependencies: { '@cairn/sdk': '*' } }),
      'common/index.js': COMMONJS,
      'common/tsconfig.json': '{}',
    });
    expectOk(await run(['stack', 'init', 'dev']));
  });
  afterAll(() => box.remove());

  test('an ES module with top-level await and an async default export', async () => {
    const end = expectOk(await run(['up', '--yes']));
    expect(end.stdout).toMatch(/dry *: true[^]*dry *: false/);
    expect(end.stdout).toMatch(/hidden *: \[secret\]/);
    for (const planted of ['planted-input', 'planted-component', 'planted-output']) {
      expect(filesContaining(box.state, planted)).toEqual([]);
      expect(end.text).not.toContain(planted);
    }
    expect(readFileSync(path.join(box.directory, 'out/user.txt'), 'utf8')).toMatch(/ planted-input$/);
    const made = await entries(box);
    expect(made.get('first')?.provider).toMatch(/::mine::/);
    expect(made.get('second')?.provider).toMatch(/::default_[\d_]+::/);
    expectOk(await run([...up, '--expect-no-changes']));
  });

  test('keepers replace in both orders; a renamed component keeps its children', async () => {
    const before = await entries(box);
    const end = expectOk(await run([...up, '--config', 'round=2', '--json']));
    const steps = end.stdout
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => {
        const { resOutputsEvent } = JSON.parse(line) as {
          resOutputsEvent?: { metadata: { op: string; urn: string } };
        };
        return resOutputsEvent === undefined
          ? []
          : [`${resOutputsEvent.metadata.op} ${resOutputsEvent.metadata.urn.split('::').at(-1)}`];
      });
    const at = (step: string): number => {
      expect(steps).toContain(step);
      return steps.indexOf(step);
    };
    expect(at('create-replacement first')).toBeLessThan(at('delete-replaced first'));
    expect(at('delete-replaced second')).toBeLessThan(at('create-replacement second'));
    const after = await entries(box);
    expect(after.get('text')?.['parent']).toMatch(/::piece$/);
    expect(after.get('text')?.id).toBe(before.get('text')?.id);
    expect(readFileSync(path.join(box.directory, 'noted.log'), 'utf8')).toBe(
      'create 1\ncreate 2\ndelete 1\n',
    );
  });

  test('each end of the program is one clear error with the place in the source, and deletes nothing', async () => {
    const before = await entries(box);
    const ends: readonly [string, number, RegExp][] = [
      ['throw', 1, /RangeError: out of bounds\n +at broken \(part\.ts:17:9\)\n +at \S+ \(index\.ts:17:\d+\)/],
      ['resource', 4, /first \[cairn-random:index:Pet\]: is odd\n +at index\.ts:11:/],
      ['apply', 1, /apply broke\n +at index\.ts:19:/],
      ['output', 1, /rejected output\n +at .*index\.ts:20:/],
      ['exit', 1, /CAIRN-PROGRAM-FAILED/],
      ['leak', 1, /waits for something that is never resolved/],
      ['failing', 4, /::failing: the create command exited with code 3[^]*oops/],
    ];
    for (const [mode, code, said] of ends) {
      const end = await run([...up, '--config', `mode=${mode}`]);
      expect({ mode, code: end.code, text: end.text }).toEqual({
        mode,
        code,
        text: expect.stringMatching(said) as string,
      });
      expect(end.text.match(/^ *error\[/gm)).toHaveLength(1);
    }
    expect([...(await entries(box)).keys()].sort()).toEqual([...before.keys()].sort());
  });

  test('types are checked when asked for', async () => {
    writeFileSync(
      path.join(box.directory, 'tsconfig.json'),
      '{ "files": ["typed.ts"], "compilerOptions": { "types": [] } }',
    );
    writeFileSync(path.join(box.directory, 'typed.ts'), `export const size: number = 'large';\n`);
    const end = await run([...up, '--typecheck']);
    expect(end.code).toBe(1);
    expect(end.text).toMatch(/typed\.ts[^]*TS2322/);
  });

  test('CommonJS JavaScript', async () => {
    expectOk(await run(['stack', 'init', 'dev'], 'common'));
    const end = expectOk(await run(up, 'common'));
    expect(end.stdout).toMatch(/pet *: "common-/);
    expect(end.stdout).toMatch(/sum *: 2/);
    expectOk(await run(['destroy', '--yes'], 'common'));
  });

  test('destroy undoes it', async () => {
    expectOk(await run(['destroy', '--yes']));
    expect((await entries(box)).size).toBe(0);
    expect(readFileSync(path.join(box.directory, 'noted.log'), 'utf8')).toMatch(/delete 1\ndelete 2\n$/);
  });
});

describe('deferred outputs, kept values, the stack as parent, versions', () => {
  const ROUND = (value: string, range: string): string => `
    import { ComponentResource, Stash, createUrn, deferredOutput, getRootDirectory, recover, requirePulumiVersion, rootStackResource } from '@cairn/sdk';
    import { RandomPet } from '@cairn/provider-random';
    const [late, resolve] = deferredOutput();
    const parent = new ComponentResource('test:index:Up', 'up');
    const pet = new RandomPet('pet', { prefix: late }, { parent: rootStackResource });
    resolve(new RandomPet('first', { length: 1 }, { parent }).result);
    const failing = pet.result.apply(() => { throw new Error('not this'); });
    await requirePulumiVersion('${range}');
    export const kept = new Stash('stash', { input: '${value}' }).output;
    export const root = getRootDirectory();
    export const urn = createUrn({ name: 'first', type: 'cairn-random:index:Pet', parent });
    export const same = pet.result.apply((text) => text.split('-').length);
    export const rest = recover(failing, () => 'recovered');
  `;
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': ROUND('one', '>=3.0.0') });
    giveStack(box);
  });
  afterAll(() => box.remove());

  const outputs = async (): Promise<unknown> =>
    JSON.parse(expectOk(await box.cairn(['stack', 'output', '--json'])).stdout);

  test('reach the engine, and the first value of a stash stays', async () => {
    expectOk(await box.cairn([...up]));
    const urn = 'urn:pulumi:dev::shop::test:index:Up$cairn-random:index:Pet::first';
    const expected = { kept: 'one', root: box.directory, urn, same: 3, rest: 'recovered' };
    expect(await outputs()).toEqual(expected);
    expect(expectOk(await box.cairn(['stack', 'export'])).stdout).toContain(urn);
    box.write('index.ts', ROUND('two', '>=3.0.0'));
    expectOk(await box.cairn([...up]));
    expect(await outputs()).toEqual(expected);
  });

  test('a version that the engine does not have ends the program with a line', async () => {
    box.write('index.ts', ROUND('one', '<3.0.0'));
    const end = await box.cairn([...up]);
    expect(end.code).toBe(1);
    expect(end.text).toMatch(/the program requires a Pulumi version in the range "<3.0.0"/);
  });
});
