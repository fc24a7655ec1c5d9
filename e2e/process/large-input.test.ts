import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchProject } from '../support/bench-project.js';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Registrations that are far larger than any that people write: nothing is cut. */
const MANY = 100_000;
const LONG = 10_000_000;
/** Most memory of the command above that of an ordinary run: bytes for a byte of text, and for a property. */
const MEMORY = { text: 18, property: 1800 };
const BEYOND = 42_000_000;

const PROGRAM = `
import { CustomResource } from '@cairn/sdk';
const kind = process.env.KIND ?? '';
const long = { text: 'ä'.repeat(${LONG / 2}) };
const many = {};
for (let i = 0; i < ${MANY}; i += 1) many['property-' + i] = i;
const add = (name, props) => new CustomResource('bench:index:Item', name, props);
if (kind.includes('long')) add('long', long);
if (kind.includes('many')) add('many', many);
if (kind.includes('beyond')) add('beyond', { text: 'x'.repeat(${BEYOND}) });
add('plain', { text: 'x' });
`;

let box: Sandbox;
beforeEach(() => {
  box = benchProject(PROGRAM);
  giveStack(box);
});
afterEach(() => box.remove());

type Inputs = Readonly<Record<string, unknown>>;

/** Returns the inputs of the bench provider's resources in the state, by name. */
async function storedInputs(): Promise<Readonly<Record<string, Inputs>>> {
  expectOk(await box.cairn(['stack', 'export', '--file', 'state.json']));
  const { deployment } = JSON.parse(readFileSync(path.join(box.directory, 'state.json'), 'utf8')) as {
    readonly deployment: { readonly resources: readonly { urn: string; type: string; inputs: Inputs }[] };
  };
  const items = deployment.resources.filter(({ type }) => type === 'bench:index:Item');
  return Object.fromEntries(items.map(({ urn, inputs }) => [urn.replace(/^.*::/, ''), inputs]));
}

/** Runs an update in a process of its own. Returns the most memory of the command, in bytes. */
async function peakOf(kind: string): Promise<number> {
  const hook = path.resolve(__dirname, '..', '..', 'tools', 'bench', 'peak.mjs');
  const env = { KIND: kind, NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` };
  const run = await box.process(['up', '--yes', '--skip-preview'], { env });
  expectOk(run);
  // The command ends after its program.
  const last = [...run.stderr.matchAll(/^peak (\d+) kB$/gm)].at(-1);
  return Number(last?.[1]) * 1024;
}

test('10 MB in one text and 100,000 properties are stored as they are, and take memory in proportion', async () => {
  const ordinary = await peakOf('');
  const most = await peakOf('long many');
  const stored = await storedInputs();
  expect(stored['long']).toEqual({ text: 'ä'.repeat(LONG / 2) });
  expect(Object.keys(stored['many'] ?? {})).toHaveLength(MANY);
  expect(stored['many']).toMatchObject({ 'property-0': 0, 'property-99999': 99_999 });
  process.stdout.write(`memory of the command: ${ordinary / 1e6} MB, then ${most / 1e6} MB\n`);
  expect(most - ordinary).toBeLessThan(LONG * MEMORY.text + MANY * MEMORY.property);
});

test('a registration beyond the limit is refused before anything is done about it; the next run continues', async () => {
  const refused = await box.cairn(['up', '--yes', '--skip-preview'], { env: { KIND: 'beyond' } });
  expect(refused.text).toMatch(
    /error\[CAIRN-RESOURCE-FAILED\]: cannot register beyond \[.+\]: a registration of 42000\d{3} bytes is larger than the limit of 41943040 bytes/,
  );
  expect(refused.text).toContain('Keep large content in a file, and pass its path or a FileAsset.');
  expect(refused.text).toMatch(/index\.ts:7:/);
  expect(refused.code).toBe(4);
  expect(await storedInputs()).not.toHaveProperty('beyond');
  expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  expect(await storedInputs()).toEqual({ plain: { text: 'x' } });
});
