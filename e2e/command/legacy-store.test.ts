import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

const ROOT = 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev';

/** A stack as the other tool left it in the layout before projects. */
const checkpoint = JSON.stringify({
  version: 3,
  checkpoint: {
    stack: 'dev',
    latest: {
      manifest: { time: '2020-01-02T03:04:05Z', magic: '', version: '' },
      resources: [{ urn: ROOT, custom: false, type: 'pulumi:pulumi:Stack', outputs: { answer: 42 } }],
      metadata: {},
    },
  },
});

describe('a store of the layout before projects [STORE-4]', () => {
  let box: Sandbox;
  const old = (): string => path.join(box.state, '.pulumi', 'stacks', 'dev.json');

  beforeAll(() => {
    box = sandbox();
    mkdirSync(path.dirname(old()), { recursive: true });
    writeFileSync(old(), checkpoint);
  });
  afterAll(() => box.remove());

  test('is refused with the way out, read where that is allowed, and upgraded', async () => {
    const refused = await box.cairn(['stack', 'ls']);
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('cairn state upgrade')]);
    const allowed = { env: { PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR: 'true' } };
    expect(expectOk(await box.cairn(['stack', 'output', 'answer', '-s', 'dev'], allowed)).stdout).toBe(
      '42\n',
    );
    expect((await box.cairn(['state', 'upgrade'])).text).toContain('--yes');
    expect(existsSync(old())).toBe(true);
    const upgraded = expectOk(await box.cairn(['state', 'upgrade', '--yes']));
    expect(upgraded.stdout).toBe('dev is now organization/shop/dev\n');
    expect(existsSync(old())).toBe(false);
    const output = ['stack', 'output', 'answer', '-s'];
    expect(expectOk(await box.cairn([...output, 'organization/shop/dev'])).stdout).toBe('42\n');
    expect(expectOk(await box.cairn(['state', 'upgrade', '--yes'])).text).toContain(
      'No stacks have the old layout',
    );
    expect(expectOk(await box.cairn(['stack', 'ls'])).stderr).toBe('');
  });

  test('one of its stacks is named without a project where there is none, and destroyed', async () => {
    const store = path.join(box.directory, '..', 'older');
    mkdirSync(path.join(store, '.pulumi', 'stacks'), { recursive: true });
    writeFileSync(path.join(store, '.pulumi', 'stacks', 'dev.json'), checkpoint);
    const options = {
      cwd: store,
      env: { PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR: 'true', CAIRN_BACKEND_URL: `file://${store}` },
    };
    const destroyed = expectOk(await box.cairn(['destroy', '--yes', '--skip-preview', '-s', 'dev'], options));
    expect(destroyed.stdout).toContain('1 deleted');
    expectOk(await box.cairn(['stack', 'rm', '--yes', '-s', 'dev'], options));
    const gone = await box.cairn(['destroy', '--yes', '--skip-preview', '-s', 'dev'], options);
    expect(gone.stderr).toContain('CAIRN-PROJECT-MISSING');
  });

  test('beside the new one is warned of, unless that is not wanted', async () => {
    writeFileSync(old(), checkpoint);
    const listed = expectOk(await box.cairn(['stack', 'ls', '--json']));
    expect(JSON.parse(listed.stdout)).toHaveLength(1);
    expect(listed.stderr).toContain('has a stack of an old layout, which is not shown');
    expect(listed.stderr).toContain('.pulumi/stacks/dev.json');
    const quiet = { env: { PULUMI_SELF_MANAGED_STATE_NO_LEGACY_WARNING: '1' } };
    expect(expectOk(await box.cairn(['stack', 'ls'], quiet)).stderr).toBe('');
  });
});
