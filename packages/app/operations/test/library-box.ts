import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isCairnError } from '@cairn/diagnostics';
import { createStack, exportStack, importStack, unattended, withStack } from '../src/stacks.js';
import type { Interaction, OpenStack, Ports, StackChoice } from '../src/stacks.js';

const folder = mkdtempSync(path.join(tmpdir(), 'cairn-operations-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes a project without a program: an up deletes everything in its state. */
export function project(name: string): string {
  const cwd = path.join(folder, name);
  mkdirSync(path.join(cwd, 'state'), { recursive: true });
  writeFileSync(path.join(cwd, 'Cairn.yaml'), `name: ${name}\n`);
  return cwd;
}

/** Returns the ports of a caller without a terminal. */
export function portsOf(cwd: string, interaction: Partial<Interaction> = {}): Ports {
  return {
    env: {
      HOME: cwd,
      CAIRN_HOME: path.join(cwd, '.cairn'),
      CAIRN_BACKEND_URL: pathToFileURL(path.join(cwd, 'state')).href,
      CAIRN_CONFIG_PASSPHRASE: 'correct horse',
    },
    cwd,
    now: () => new Date(),
    version: '1.2.3',
    packageRoots: [],
    started: { argv: ['a test'], recorded: { 'exec.kind': 'test' } },
    onInterrupt: () => () => undefined,
    interaction: { ...unattended, ...interaction },
  };
}

export const PART = 'test:index:Part';
/** Names of the components in a state of {@link stackWithState}. */
export const NAMES = ['site', 'page'] as const;

/** Returns a state with an output and two components, one in the other. */
function state(project: string): Uint8Array {
  const urn = (type: string, name: string): string => `urn:pulumi:dev::${project}::${type}::${name}`;
  const root = urn('pulumi:pulumi:Stack', `${project}-dev`);
  const site = urn(PART, 'site');
  const components = [
    { urn: site, custom: false, type: PART, parent: root },
    { urn: urn(`${PART}$${PART}`, 'page'), custom: false, type: PART, parent: site },
  ];
  const resources = [
    { urn: root, custom: false, type: 'pulumi:pulumi:Stack', outputs: { url: 'x' } },
    ...components,
  ];
  const manifest = { time: '2030-01-01T00:00:00Z', magic: '', version: '' };
  return Buffer.from(JSON.stringify({ version: 3, deployment: { manifest, resources } }));
}

/** The salt of all stacks, so that the key of the passphrase is derived once. */
const SALT = 'v1:AAECAwQFBgc=:v1:AAECAwQFBgcICQoL:Lsv0Mq4P43OA9/CWlvPiZJXoK3BhFA==';

/** Makes a project with the stack `dev`, which has a state. */
export async function stackWithState(name: string): Promise<string> {
  const cwd = project(name);
  writeFileSync(path.join(cwd, 'Cairn.dev.yaml'), `encryptionsalt: ${SALT}\n`);
  await createStack(portsOf(cwd), 'dev', { select: true });
  await withStack(portsOf(cwd), {}, (stack) => importStack(stack, state(name), { source: 'a document' }));
  return cwd;
}

/** Returns the names of the components in the state. */
export async function parts(cwd: string): Promise<readonly string[]> {
  const text = await withStack(portsOf(cwd), { stack: 'dev' }, async (stack) =>
    [...(await exportStack(stack))].join(''),
  );
  return NAMES.filter((name) => text.includes(`${PART}::${name}"`));
}

/** Returns the code of a promise's rejection, or `undefined` if it resolves. */
export async function codeOf(run: Promise<unknown>): Promise<string | undefined> {
  const thrown: unknown = await run.catch((error: unknown) => error);
  return isCairnError(thrown) ? thrown.diagnostics[0]?.code : undefined;
}

/** Runs a function with the stack `dev`, or another one. */
export function inStack<T>(
  ports: Ports,
  run: (stack: OpenStack) => Promise<T>,
  choice: StackChoice = { stack: 'dev' },
): Promise<T> {
  return withStack(ports, choice, run);
}
