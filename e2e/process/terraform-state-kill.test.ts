import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { boxesSandbox, filesWith } from '../support/boxes-state.js';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { killedBefore } from '../support/kill-at-write.js';
import { until } from '../support/until.js';

/**
 * Taking a state over, killed with SIGKILL at each of its steps: no object is lost, every report about the stack is
 * true, and the same command continues to the end.
 */

const TAKE = [
  ...['import', '--from', 'terraform', 'terraform.tfstate', '--yes', '--protect=false', '--out', 'index.ts'],
];
const MANIFEST =
  '{ "name": "shop", "private": true, "type": "module", "dependencies": { "@cairn/sdk": "*" } }';
const PROGRAM = "import '@cairn/sdk'; // what was there before\n";

const boxes: Sandbox[] = [];
afterAll(() => boxes.forEach((box) => box.remove()));

async function fresh(
  ...rules: Parameters<typeof boxesSandbox>
): Promise<{ readonly box: Sandbox; readonly calls: string }> {
  const made = boxesSandbox(...rules);
  const { box } = made;
  boxes.push(box);
  box.write('package.json', MANIFEST);
  box.write('index.ts', PROGRAM);
  giveStack(box);
  return made;
}

const read = (box: Sandbox, file: string): string => readFileSync(path.join(box.directory, file), 'utf8');

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns the resources that the stack reports, without what is random: ids of providers, times, secrets. */
async function resources(box: Sandbox): Promise<readonly object[]> {
  const { stdout } = expectOk(await box.cairn(['stack', 'export']));
  const { deployment } = JSON.parse(stdout.replace(UUID, 'id'), (key, value: unknown) =>
    ['created', 'modified', 'ciphertext'].includes(key) ? undefined : value,
  ) as { readonly deployment: { readonly resources?: readonly object[] } };
  return deployment.resources ?? [];
}

/** Returns the resources, the configuration, and the files and links of the project. */
async function endOf(box: Sandbox): Promise<object> {
  const config = expectOk(await box.cairn(['config', '--show-secrets', '--json'])).stdout;
  const entries = readdirSync(box.directory, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, file: path.join(entry.parentPath, entry.name) }))
    .filter(({ file }) => !/terraform\.d|Cairn\.dev\.yaml$/.test(file));
  const files = entries
    .filter(({ entry }) => entry.isFile())
    .map(({ file }) => [file, readFileSync(file, 'utf8')]);
  const links = entries
    .filter(({ entry }) => entry.isSymbolicLink())
    .map(({ file }) => [file, readlinkSync(file)]);
  const places = Object.fromEntries(
    [...files, ...links].map(([file = '', text]) => [path.relative(box.directory, file), text]),
  ) as object;
  return { resources: await resources(box), config, places };
}

/** Files of the project that are the same in every run. */
const SAME = ['index.ts', 'terraform-addresses.json', 'package.json', 'Cairn.yaml'];
let whole: Readonly<Record<string, string>>;
/** Everything that a preview after the uninterrupted run depends on. */
let end: object;
const before: Readonly<Record<string, string>> = { 'index.ts': PROGRAM, 'package.json': MANIFEST };

beforeAll(async () => {
  const { box } = await fresh();
  expectOk(await box.cairn(TAKE));
  whole = Object.fromEntries(SAME.map((file) => [file, read(box, file)]));
  end = await endOf(box);
  expectOk(await box.cairn(['preview', '--expect-no-changes']));
});

const NOTHING = 0;
const ALL = 7;

test.each<[string, RegExp, number]>([
  ['the lock is there', /^rename .*\/locks\//, NOTHING],
  ['the change is recorded', /^link .*operation\.json/, NOTHING],
  ['what it changes is recorded', /^open .*000001\.log/, NOTHING],
  ['the state is written', /^rename .*\/shop\/dev\.json$/, ALL],
  ['the change is ended', /^link .*sealed\.json/, ALL],
  ['the lock is gone', /^unlink .*\/locks\/.*\.json$/, ALL],
  ['the state is remembered', /^link .*\.pulumi-tags/, ALL],
  ['the addresses are written', /^rename .*terraform-addresses\.json/, ALL],
  ['the package is begun', /^rename .*sdks\/boxes\/package\.json/, ALL],
  ['the package is written', /^writeFile .*sdks\/boxes\/box\.cjs/, ALL],
  ['the manifest is written', /^rename .*project\/package\.json/, ALL],
  ['the package is linked', /^symlink .*node_modules/, ALL],
  ['the project file is written', /^rename .*Cairn\.yaml/, ALL],
  ['the secrets are written', /^rename .*Cairn\.dev\.yaml/, ALL],
  ['the program is written', /^rename .*index\.ts/, ALL],
])('before %s', async (_title, write, there) => {
  const { box, calls } = await fresh();
  await killedBefore(box, write, TAKE);
  expect(await resources(box)).toHaveLength(there);
  for (const file of SAME) {
    const text = existsSync(path.join(box.directory, file)) ? read(box, file) : undefined;
    expect([file, [before[file], whole[file]].includes(text) || file === 'Cairn.yaml']).toEqual([file, true]);
  }

  expectOk(await box.cairn(TAKE));
  expect(Object.fromEntries(SAME.map((file) => [file, read(box, file)]))).toEqual(whole);
  // As after the uninterrupted run, where a preview has nothing to do.
  expect(await endOf(box)).toEqual(end);
  expect(filesWith(box, '1234-pin', 'k-98765', 'AAECAw')).toEqual([]);
  expect(readFileSync(calls, 'utf8')).not.toMatch(/applyResourceChange|readResource|importResourceState/i);
  expect(read(box, 'terraform.tfstate')).toContain('"serial": 12');
});

test('while the provider is asked', async () => {
  const { box, calls } = await fresh([{ call: 'upgradeResourceState', times: 1, fault: 'hang' }]);
  const running = box.start(TAKE);
  await until(() => existsSync(calls) && /upgradeResourceState/i.test(readFileSync(calls, 'utf8')));
  running.process.kill('SIGKILL');
  await running.finished;
  expect(await resources(box)).toEqual([]);
  expect(readdirSync(box.directory)).not.toContain('terraform-addresses.json');
  expectOk(await box.cairn(TAKE));
  expect(read(box, 'index.ts')).toBe(whole['index.ts']);
  expectOk(await box.cairn(['preview', '--expect-no-changes']));
});
