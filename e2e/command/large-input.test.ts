import { readFileSync } from 'node:fs';
import path from 'node:path';
import { benchProject } from '../support/bench-project.js';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Registrations that are far larger than any that people write: nothing is cut. */
const MANY = 100_000;
const LONG = 10_000_000;

const PROGRAM = `
import { CustomResource } from '@cairn/sdk';
const kind = process.env.KIND;
const props = kind === 'long' ? { text: 'ä'.repeat(${LONG / 2}) } : {};
if (kind === 'many') for (let i = 0; i < ${MANY}; i += 1) props['property-' + i] = i;
export const item = new CustomResource('bench:index:Item', 'item', props).id;
`;

let box: Sandbox;
beforeEach(() => {
  box = benchProject(PROGRAM);
  giveStack(box);
});
afterEach(() => box.remove());

interface Exported {
  readonly deployment: { readonly resources: readonly { type: string; inputs: Record<string, unknown> }[] };
}

test.each([
  ['long', '10 MB in one text', 1],
  ['many', '100,000 properties', MANY],
])('a registration of %s input, %s, is created and stored as it is', async (kind, _title, count) => {
  expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env: { KIND: kind } }));
  expectOk(await box.cairn(['stack', 'export', '--file', 'state.json']));
  const { deployment } = JSON.parse(readFileSync(path.join(box.directory, 'state.json'), 'utf8')) as Exported;
  const item = deployment.resources.find(({ type }) => type === 'bench:index:Item');
  expect(Object.keys(item?.inputs ?? {})).toHaveLength(count);
  if (kind === 'long') expect(item?.inputs).toEqual({ text: 'ä'.repeat(LONG / 2) });
});
