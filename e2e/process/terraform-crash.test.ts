import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProvider } from '@cairn/tf-bridge';
import type { ProcessScript } from '@cairn/testkit/terraform';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

/** Terraform providers as processes that go wrong, alone and below a command. */

const boxes = path.resolve(__dirname, '..', '..', 'packages/testing/testkit/bin/terraform-provider-boxes');
const SCHEMA = '/tfplugin6.Provider/GetProviderSchema';

/** The environment with a script for the process. */
function scripted(script: ProcessScript): Record<string, string | undefined> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'script-')), 'script.json');
  writeFileSync(file, JSON.stringify(script));
  return { PATH: process.env['PATH'], TERRAFORM_SCRIPT: file };
}

const started = (script: ProcessScript, limits: object = {}) =>
  startProvider({
    name: 'acme/boxes',
    executable: boxes,
    cwd: '/',
    env: scripted(script),
    onLog: () => {},
    limits,
  });

test.each([
  ['garbage in place of the handshake', { line: 'hello\n' }, /"hello" where its address was expected/],
  ['another version of the protocol', { version: 4 }, /version 4 of the protocol/],
  ['a cookie that it does not take', { refusesCookie: true }, /exit code 1 /],
  ['no certificate', { certificate: 'none' }, /sent no certificate/],
  ['an early end', { exit: 3, stderr: 'no licence\n' }, /exit code 3 .*no licence/s],
] as const)('a start with %s is refused by what is wrong [TFP-2]', async (_title, start, expected) => {
  const error = (await started({ start }).catch((thrown: unknown) => thrown)) as {
    readonly diagnostics: readonly { readonly causes: readonly string[] }[];
  };
  expect(error.diagnostics[0]?.causes.join('\n')).toMatch(expected);
});

test.each([{}, { tcp: true }])(
  'it ends when it is told to, and 100 MB of schema arrive (%j)',
  async (start) => {
    const padding = { types: 1000, bytes: 100_000_000 };
    const provider = await started({ start, padding });
    const answer = await provider.caller.unary(SCHEMA, new Uint8Array());
    expect(answer.length).toBeGreaterThan(100_000_000);
    await provider.stop();
    expect(provider.ended()).toBe('exit code 0');
  },
);

describe('below a command', () => {
  let box: Sandbox;
  afterEach(() => box.remove());

  const effects = () =>
    readFileSync(path.join(box.state, 'boxes', 'effects'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { readonly effect: string }).effect);

  async function project(): Promise<Record<string, string>> {
    box = sandbox({
      'package.json': '{"name": "shop", "private": true, "type": "module"}',
      'index.ts': `
import * as boxes from '@cairn-sdks/boxes';
new boxes.Lid('lid', { boxId: 'b' });
`,
    });
    const directory = path.join(box.state, 'boxes');
    mkdirSync(directory, { recursive: true });
    expectOk(await box.cairn(['package', 'add', 'terraform-provider', boxes]));
    giveStack(box);
    return { BOXES_DIRECTORY: directory };
  }

  test('a crash in a plan fails the operation, and nothing was done', async () => {
    const world = await project();
    const script = scripted({
      rules: [{ call: 'planResourceChange', fault: 'crash', text: 'index out of range' }],
    });
    const failed = await box.cairn(['up', '--yes', '--skip-preview'], { env: { ...world, ...script } });
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain('panic: index out of range');
    expectOk(await box.cairn(['up', '--yes', '--skip-preview'], { env: world }));
    expect(effects()).toEqual(['create']);
  });

  test('a crash after the effect of an apply leaves the object in doubt, and it is not made again', async () => {
    const world = await project();
    const script = scripted({
      rules: [{ call: 'applyResourceChange', fault: 'crash', when: 'after', text: 'lost' }],
    });
    const failed = await box.cairn(['up', '--yes', '--skip-preview'], { env: { ...world, ...script } });
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain('panic: lost');
    expect(failed.text).toMatch(/doubt/);
    const again = await box.cairn(['up', '--yes', '--skip-preview'], { env: world });
    expect(again.text).toMatch(/doubt|not finished/);
    expect(effects()).toEqual(['create']);
  });
});
