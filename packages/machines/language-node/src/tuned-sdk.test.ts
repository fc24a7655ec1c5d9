import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createNodeLanguageHost } from './index.js';
import { builtLoader, modules } from './testdata/built-loader.js';
import { FakeEngine } from './testdata/fake-engine.js';

let loader: string;
let root: string;

beforeAll(async () => {
  loader = builtLoader();
  root = await realpath(await mkdtemp(join(tmpdir(), 'cairn-tuned-')));
});
afterAll(() => Promise.all([loader, root].map((path) => rm(path, { recursive: true, force: true }))));

type Environment = Readonly<Record<string, string>>;

/**
 * Returns the text of an error without the part that names which of the SDK's two handlers has reported it. Either may
 * be first.
 */
function withoutReporter(message: string): string {
  const plain = stripVTControlCharacters(message);
  return plain
    .replace(/^Running program '.*' failed with an unhandled exception:\n/, '')
    .replace(/^ +/gm, '');
}

/** Runs a program and returns everything that it shows: its end, its texts, and its resources with their places. */
async function run(
  title: string,
  environment: Environment,
): Promise<Record<string, unknown> & { readonly logs: readonly string[] }> {
  const directory = join(root, title);
  const engine = new FakeEngine();
  await engine.start();
  const written = { stdout: '', stderr: '' };
  const result = await createNodeLanguageHost({
    loader: join(loader, 'register.js'),
    environment: { PATH: process.env['PATH'], CAIRN_HOME: join(root, '.home'), ...environment },
  }).run({
    info: { rootDirectory: directory, programDirectory: directory, entryPoint: '.', options: {} },
    monitorAddress: engine.address,
    engineAddress: engine.address,
    ...{ project: 'proj', stack: 'dev', organization: 'org', dryRun: false, parallel: 16, args: [] },
    ...{ config: {}, configSecretKeys: [] },
    onOutput: (stream, text) => (written[stream] += text),
  });
  await engine.stop();
  // Parallel work comes in any order, and so do its records.
  const registered = [...engine.registered].sort((a, b) => (a.name < b.name ? -1 : 1));
  const resources = registered.map(({ name, inputs, sourcePosition, stackTrace }) => ({
    ...{ name, inputs, sourcePosition, stackTrace },
  }));
  const shown = engine.logs.filter(({ severity }) => severity !== 'debug');
  return { result, ...written, resources, logs: shown.map(({ message }) => message) };
}

async function write(title: string, type: string, source: string): Promise<void> {
  const directory = join(root, title);
  await mkdir(join(directory, 'node_modules/@pulumi'), { recursive: true });
  await symlink(join(modules, '@pulumi/pulumi'), join(directory, 'node_modules/@pulumi/pulumi'));
  await writeFile(
    join(directory, 'package.json'),
    JSON.stringify({ dependencies: { '@pulumi/pulumi': '*' }, type }),
  );
  await writeFile(join(directory, 'index.ts'), source);
}

/** Types come first, so that lines and columns differ between a source and its compiled code. */
const HEAD = `import * as pulumi from '@pulumi/pulumi';
interface Unused { a: string; b: string }

class Thing extends pulumi.CustomResource {
  constructor(name: string, inputs: Record<string, any> = {}) { super('test:index:Thing', name, inputs); }
}
`;

const PLACES = `${HEAD}
class Part extends pulumi.ComponentResource {
  constructor(name: string) { super('test:index:Part', name); this.make(name); }
  make(name: string): void { new Thing(name + '-child', { name }); }
}
const other = { make: Part.prototype.make, ['a b']: (name: string) => new Thing(name) };
other.make('method');
other['a b']('named');
['one', 'two'].map((name: string) => new Thing(name));
for (let at = 0; at < 3; at += 1) { new Thing('loop' + at); other.make('loop-' + at); }
Part.prototype.make.call({ constructor: { name: 'Odd' } } as any, 'odd');
eval('new Thing("evaluated")');
new Function('make', 'make("made")')((name: string) => new Thing(name));
async function later(name: string): Promise<void> { await Promise.resolve(); new Thing(name); }
later('later');
setTimeout(() => new Thing('timer'), 1);
new Part('part');
Error.stackTraceLimit = 2;
new Thing('limited');
`;

const TEXTS = `${HEAD}
class Odd extends Error { name = 'OddError'; }
function deep(depth: number): Error { return depth === 0 ? new Odd('deep\\n    at nowhere (a:1:1)') : deep(depth - 1); }
console.log(deep(3).stack);
console.log(deep(20).stack);
console.log(new Error().stack, new TypeError('').stack);
console.log([1].map(() => new Error('mapped').stack)[0]);
console.log(new (class Made { stack = new Error('made').stack })().stack);
console.log(eval('(function named() { return new Error("evaluated") })()').stack);
try { JSON.parse('{'); } catch (error) { console.log((error as Error).stack); }
try { require('./nothing'); } catch (error) { console.log((error as Error).stack); }
console.error(new Error('shown', { cause: deep(1) }));
const { prepareStackTrace } = Error;
Error.prepareStackTrace = (error, frames) => String(error) + frames.length;
console.log(deep(3).stack);
Error.prepareStackTrace = prepareStackTrace;
(async () => { await null; console.log(new Error('async').stack); })();
pulumi.output(1).apply(() => console.log(new Error('applied').stack));
`;

const DYNAMIC = (captured: string): string => `${HEAD}
const captured = ${captured};
const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs) { return { id: 'x', outs: { all: Object.keys(inputs), captured: captured } }; },
};
class Own extends pulumi.dynamic.Resource {
  constructor(name: string) { super(provider, name, {}); }
}
new Own('own');
`;

const AUTOMATION = `import * as pulumi from '@pulumi/pulumi';
const { LocalWorkspace } = pulumi.automation;
console.log(Object.keys(pulumi).sort(), Object.keys(pulumi.automation).sort(), typeof LocalWorkspace.create);
console.log(pulumi.automation === require('@pulumi/pulumi/automation'));
console.log(pulumi.automation === require('@pulumi/pulumi').automation, typeof { ...pulumi }.automation.Stack);
`;

const LEAKED = `${HEAD}
const never = new Promise<string>(() => undefined);
new Thing('leaked', { never });
`;

const AUTOMATION_FIRST = `import { LocalWorkspace } from '@pulumi/pulumi/automation';
import { automation } from '@pulumi/pulumi';
console.log(LocalWorkspace === automation.LocalWorkspace, typeof LocalWorkspace.createStack);
`;

const AUTOMATION_OF_MODULES = `import { automation } from '@pulumi/pulumi';
import * as same from '@pulumi/pulumi/automation/index.js';
console.log(Object.keys(automation).sort(), same.LocalWorkspace === automation.LocalWorkspace);
`;

test.each<
  [
    title: string,
    source: string,
    shows: string,
    more?: { type?: string; environment?: Environment; isEither?: boolean },
  ]
>([
  ['places', PLACES, '"line":20'],
  ['places-of-modules', PLACES, '"line":20', { type: 'module' }],
  ['texts', TEXTS, 'OddError: deep'],
  [
    'thrown',
    `${HEAD}\nconst fail = (): never => { throw new RangeError('wrong'); };\nfail();\n`,
    'RangeError',
  ],
  [
    'rejected',
    `${HEAD}\nnew Thing('a').urn.apply((urn) => { throw new Error('of ' + urn); });\n`,
    'of urn:',
    { isEither: true },
  ],
  ['leaked', LEAKED, 'was waiting for the value of its input property'],
  ['leaked-and-listed', LEAKED, 'STACK_TRACE', { environment: { PULUMI_DEBUG_PROMISE_LEAKS: '1' } }],
  ['dynamic', DYNAMIC(`new Map([[1, (n: number) => n + 1]])`), 'exports.handler'],
  ['dynamic-refused', DYNAMIC('Math.max.bind(null)'), 'native code function'],
  ['automation', AUTOMATION, 'LocalWorkspace'],
  ['automation-first', AUTOMATION_FIRST, 'true function'],
  ['automation-of-modules', AUTOMATION_OF_MODULES, 'LocalWorkspace', { type: 'module' }],
])('a program runs as without the tuning of its SDK: %s', async (title, source, shows, more = {}) => {
  const { type = 'commonjs', environment = {}, isEither = false } = more;
  await write(title, type, source);
  const shown = async (variables: Environment): Promise<unknown> => {
    const seen = await run(title, variables);
    return isEither ? { ...seen, logs: seen.logs.map(withoutReporter) } : seen;
  };
  const tuned = await shown(environment);
  expect(tuned).toEqual(await shown({ ...environment, CAIRN_PULUMI_AS_IS: '1' }));
  expect(JSON.stringify(tuned)).toContain(shows);
});

/** Limits of the files that a program without resources may load: their number and their size. */
const MOST = { files: 280, kilobytes: 2_900 };

test('an empty program loads neither compiler nor automation, and a limited number of files', async () => {
  const source = `import '@pulumi/pulumi';
import { statSync } from 'node:fs';
const files = Object.values(require.cache).filter((module) => module!.loaded).map((module) => module!.id);
const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
console.log(JSON.stringify({ files, bytes }));
`;
  await write('empty', 'commonjs', source);
  await run('empty', {}); // Compiles it.
  const { stdout } = await run('empty', {});
  const { files, bytes } = JSON.parse(stdout as string) as { files: readonly string[]; bytes: number };
  expect(files.filter((file) => /[\\/]typescript[\\/]|automation[\\/](?!index)/.test(file))).toEqual([]);
  expect(files.length).toBeLessThanOrEqual(MOST.files);
  expect(bytes / 1024).toBeLessThanOrEqual(MOST.kilobytes);
});
