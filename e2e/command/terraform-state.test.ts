import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  BOX,
  STATE,
  boxesSandbox,
  filesWith,
  giveState,
  installed,
  lid,
  resource,
} from '../support/boxes-state.js';
import { expectOk } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';
import { PageRun, readPage } from '../support/page-run.js';

/** States of Terraform taken over into a stack and returned, with a provider that records its calls. */

let box: Sandbox;
let calls: string;

beforeEach(() => {
  ({ box, calls } = boxesSandbox());
});
afterEach(() => box.remove());

const state = (content: unknown): void => giveState(box, content);
const take = (...words: readonly string[]) =>
  box.cairn(['import', '--from', 'terraform', 'terraform.tfstate', '--yes', '--protect=false', ...words]);
const asked = (): string => (existsSync(calls) ? readFileSync(calls, 'utf8') : '');
const ready = async (): Promise<void> => {
  giveStack(box);
};
const exported = async (...words: readonly string[]) => {
  const { stdout, stderr } = expectOk(await box.cairn(['stack', 'export', '--to', 'terraform', ...words]));
  return { state: JSON.parse(stdout) as typeof STATE, stderr };
};

describe('a state of Terraform', () => {
  test('is taken over without touching the objects, and the next preview changes nothing [TFF-5]', async () => {
    await ready();
    const { text } = expectOk(await take('--out', 'index.ts'));
    expect(text).toContain('data.boxes_count.all: programs read data sources');
    expect(text).toContain('terraform_data.own: Terraform manages it itself');
    expect(asked()).not.toMatch(/applyResourceChange|readResource|importResourceState/i);
    expect(asked()).toMatch(/upgradeResourceState/i);

    const map = JSON.parse(readFileSync(path.join(box.directory, 'terraform-addresses.json'), 'utf8')) as {
      readonly addresses: Readonly<Record<string, string>>;
    };
    expect(map.addresses).toEqual({
      'boxes_box.one': 'urn:pulumi:dev::shop::boxes:index/box:Box::one',
      'boxes_lid.n[0]': 'urn:pulumi:dev::shop::boxes:index/lid:Lid::n[0]',
      'boxes_lid.n[1]': 'urn:pulumi:dev::shop::boxes:index/lid:Lid::n[1]',
      'module.m["k"].boxes_lid.x["k"]': 'urn:pulumi:dev::shop::boxes:index/lid:Lid::module.m["k"].x["k"]',
    });
    const program = readFileSync(path.join(box.directory, 'index.ts'), 'utf8');
    expect(program).toContain("import * as boxes from '@cairn-sdks/boxes';");
    expect(program).toContain("new boxes.Provider('module.m.boxes.two', {})");
    expect(program).toMatch(/new boxes\.Lid\('n\[0\]', \{ boxId: one\.id \}/);
    expect(program).toContain('export const first = ');

    const preview = expectOk(await box.cairn(['preview', '--expect-no-changes', '--diff']));
    expect(preview.text).toMatch(/Resources:\n\s+6 unchanged\n/);
    const { text: listing } = expectOk(await box.cairn(['stack', 'export']));
    expect(listing).not.toMatch(/1234-pin|k-98765|AAECAw/);
    const { stdout } = expectOk(await box.cairn(['stack', 'output', '--json', '--show-secrets']));
    expect(JSON.parse(stdout)).toEqual({
      ...{ first: 'lid-of-k', pin: '1234-pin', some: ['x', 'y'] },
      access: { key: 'k-98765', at: ['lid-of-k'], port: 5432 },
    });
  });

  test('has its secrets sealed in the configuration of the stack, which the program asks [TFF-8]', async () => {
    await ready();
    const { text } = expectOk(await take('--out', 'index.ts'));
    expect(text).toContain('Set as secrets in Cairn.dev.yaml: onePin, accessPort\n');
    const program = readFileSync(path.join(box.directory, 'index.ts'), 'utf8');
    expect(program).toContain("pin: config.requireSecret('onePin')");
    expect(program).toContain("export const pin = config.requireSecret('onePin');");
    // The program reads values from the resources that make them, so that they are never older than these.
    expect(program).toContain(
      "export const access = secret({ at: [moduleMKXK.id], key: one.key, port: config.requireSecretNumber('accessPort') });",
    );
    expect(filesWith(box, '1234-pin', 'k-98765', 'AAECAw')).toEqual([]);
    const { stdout } = expectOk(await box.cairn(['config', '--json', '--show-secrets']));
    expect(JSON.parse(stdout)).toMatchObject({ 'shop:onePin': { value: '1234-pin', secret: true } });
    expectOk(await box.cairn(['preview', '--expect-no-changes']));

    // Existing settings for them are not touched, and found again.
    const settings = readFileSync(path.join(box.directory, 'Cairn.dev.yaml'), 'utf8');
    expectOk(await take('--out', 'index.ts'));
    expect(readFileSync(path.join(box.directory, 'Cairn.dev.yaml'), 'utf8')).toBe(settings);
    expect(readFileSync(path.join(box.directory, 'index.ts'), 'utf8')).toBe(program);
    expectOk(await box.cairn(['config', 'set', '--secret', 'onePin', 'another']));
    expectOk(await take('--out', 'index.ts'));
    expect(readFileSync(path.join(box.directory, 'index.ts'), 'utf8')).toContain("requireSecret('onePin2')");
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
    expect(filesWith(box, '1234-pin', 'k-98765', 'AAECAw')).toEqual([]);
  });

  test('comes back as it was, with a higher serial, also after an up [TFF-6]', async () => {
    await ready();
    expectOk(await take('--out', 'index.ts'));
    const bare = await exported();
    expect(bare.stderr).not.toContain('left out');
    const { state: whole } = await exported('--base', 'terraform.tfstate');
    expect(whole).toEqual({ ...STATE, serial: expect.any(Number) as number });
    expect([whole.serial > STATE.serial, bare.state.lineage]).toEqual([true, STATE.lineage]);
    expect(bare.state.resources).toEqual(
      STATE.resources.filter(({ type, mode }) => mode === 'managed' && type !== 'terraform_data'),
    );
    expectOk(await box.cairn(['up', '--yes']));
    const { state: after } = await exported('--base', 'terraform.tfstate');
    expect(after.resources).toEqual(STATE.resources);
    expect(after.serial).toBeGreaterThan(whole.serial);
  });

  test('with tainted and deposed objects has them replaced and deleted', async () => {
    const [one, other] = [lid('lid-0', 'box-1'), lid('lid-9', 'box-1')];
    state({
      ...STATE,
      outputs: {},
      resources: [
        resource('boxes_box', 'one', [{ attributes: BOX }]),
        resource('boxes_lid', 'x', [
          { status: 'tainted', attributes: one },
          { deposed: '0011aaff', attributes: other },
        ]),
      ],
    });
    await ready();
    const { text } = expectOk(await take('--out', 'index.ts'));
    expect(text).toContain('boxes_lid.x (deposed 0011aaff), to be deleted');
    const { state: back } = await exported();
    expect(back.resources[1]?.instances).toEqual([
      { status: 'tainted', schema_version: 0, attributes: one, sensitive_attributes: [] },
      { deposed: '0011aaff', schema_version: 0, attributes: other, sensitive_attributes: [] },
    ]);
    const preview = expectOk(await box.cairn(['preview']));
    expect(preview.text).toMatch(/boxes:index:Lid x replace {2}it is tainted/);
    expectOk(await box.cairn(['up', '--yes']));
    const { state: after } = await exported();
    expect(after.resources[1]?.instances).toHaveLength(1);
    expect(after.resources[1]?.instances[0]).not.toHaveProperty('status');
    expect(asked().match(/applyResourceChange/gi)?.length).toBeGreaterThanOrEqual(3);
  });

  test('is shown alone with --preview-only, and is asked for without --yes', async () => {
    await ready();
    const words = ['import', '--from', 'terraform', 'terraform.tfstate'];
    const shown = expectOk(await box.cairn([...words, '--preview-only']));
    expect(shown.text).toContain('boxes_box.one');
    expect((await box.cairn(words)).text).toContain('--yes');
    expect(existsSync(path.join(box.directory, 'terraform-addresses.json'))).toBe(false);
    expect(expectOk(await box.cairn(['stack', '--show-urns'])).text).not.toContain('boxes');
  });
});

describe('refused, with nothing changed', () => {
  const before = async () => expectOk(await box.cairn(['stack', 'export'])).stdout;

  test.each<[string, () => void, readonly string[]]>([
    ['a file that is not there', () => {}, ['import', '--from', 'terraform', 'gone.tfstate', '--yes']],
    ['no file', () => {}, ['import', '--from', 'terraform', '--yes']],
    ['another tool', () => {}, ['import', '--from', 'ansible', 'terraform.tfstate', '--yes']],
    ['a damaged state', () => state('{"version": 4,'), []],
    ['an encrypted state', () => state({ encrypted_data: 'x', meta: {} }), []],
    ['a backend', () => state({ version: 3, backend: { type: 's3' } }), []],
    ['nothing to take over', () => state({ ...STATE, resources: STATE.resources.slice(0, 1) }), []],
    [
      'a type that the provider does not have',
      () => state({ ...STATE, resources: [resource('boxes_gone', 'a', [{ attributes: { id: 'x' } }])] }),
      [],
    ],
    [
      'a newer schema',
      () =>
        state({
          ...STATE,
          resources: [resource('boxes_box', 'one', [{ attributes: BOX, schema_version: 99 }])],
        }),
      [],
    ],
    [
      'a provider that is not there',
      () =>
        state({
          ...STATE,
          resources: [
            resource('other_thing', 'a', [{ attributes: { id: 'x' } }], {
              provider: 'provider["registry.terraform.io/acme/other"]',
            }),
          ],
        }),
      [],
    ],
    ['a lock', () => box.write('.terraform.tfstate.lock.info', '{"ID":"x"}'), []],
    [
      'other flags',
      () => {},
      ['import', '--from', 'terraform', 'terraform.tfstate', '--yes', '--provider', 'x'],
    ],
  ])('%s', async (what, make, words) => {
    await ready();
    const was = await before();
    make();
    const { code, text } = words.length === 0 ? await take() : await box.cairn(words);
    expect(code).not.toBe(0);
    expect(text).toMatch(EXPECTED[what] as RegExp);
    expect(await before()).toBe(was);
    expect(existsSync(path.join(box.directory, 'terraform-addresses.json'))).toBe(false);
  });

  const EXPECTED: Readonly<Record<string, RegExp>> = {
    'a file that is not there': /cannot read gone\.tfstate[\s\S]*terraform state pull/,
    'no file': /needs one argument: the file with the state/,
    'another tool': /cannot find the converter ansible/,
    'a damaged state': /terraform\.tfstate: it is not JSON/,
    'an encrypted state': /OpenTofu encrypted[\s\S]*state pull/,
    'a backend': /names the backend in[\s\S]*terraform state pull/,
    'nothing to take over': /nothing to take over[\s\S]*data\.boxes_count\.all/,
    'a type that the provider does not have': /boxes_gone\.a cannot be taken over[\s\S]*has no boxes_gone/,
    'a newer schema': /boxes_box\.one cannot be taken over[\s\S]*newer/,
    'a provider that is not there': /acme\/other/,
    'a lock': /terraform\.tfstate is locked[\s\S]*force-unlock/,
    'other flags': /--provider cannot be used with --from terraform/,
  };

  test('resources that the stack has, unless it has all of them', async () => {
    await ready();
    expectOk(await take('--generate-code=false'));
    const was = await before();
    const { text: again } = expectOk(await take('--out', 'again.ts'));
    expect(again).toContain('boxes_box.one is urn:pulumi:dev::shop::boxes:index/box:Box::one');
    expect(existsSync(path.join(box.directory, 'again.ts'))).toBe(true);
    expect(await before()).toBe(was);
    const more = resource('boxes_lid', 'more', [{ attributes: lid('lid-9', 'box-1') }]);
    state({ ...STATE, resources: [...STATE.resources, more] });
    const { code, text } = await take();
    expect(code).not.toBe(0);
    expect(text).toContain('the stack already has a resource for boxes_lid.n[0]');
    expect(await before()).toBe(was);
  });
});

test('docs/terraform-state.md: what the page shows is what happens', async () => {
  const page = readPage('terraform-state.md');
  expect(page.blocks.map(({ kind }) => kind)).toEqual(['file', 'file', 'file', 'cwd', 'cwd']);
  installed(path.join(box.directory, 'shop'));
  await new PageRun(box).carryOut(page);
});
