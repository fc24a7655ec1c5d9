import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sandbox } from './support/cairn.js';
import type { Sandbox } from './support/cairn.js';

jest.setTimeout(300_000);

let box: Sandbox;
let bin: string;
beforeEach(() => {
  box = sandbox();
  bin = path.join(box.directory, 'bin');
});
afterEach(() => box.remove());

function alias(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(path.join(bin, 'pulumi'), words, {
    encoding: 'utf8',
    cwd: box.directory,
    env: box.env as NodeJS.ProcessEnv,
  });
  return { status, stdout, stderr };
}

describe('the alias', () => {
  test('is written where it is wanted, runs this command, and answers a version that is compared', async () => {
    const written = await box.cairn(['alias', 'bin']);
    expect(written).toMatchObject({ code: 0, stdout: `${path.join(bin, 'pulumi')}\n` });
    expect(written.stderr).toContain(`export PATH="${bin}:$PATH"`);
    const own = (await box.cairn(['version'])).stdout.trim().slice(1);
    expect(alias(['version'])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^3\.\d+\.\d+\+cairn\./) as string,
    });
    expect(alias(['version']).stdout.trim().endsWith(`+cairn.${own}`)).toBe(true);
    expect(alias(['stack', 'init', 'dev'])).toMatchObject({ status: 0 });
    expect((await box.cairn(['stack', 'ls', '--json'])).stdout).toContain('"name": "dev"');
  });

  test('goes into the home of Cairn when no directory is named', async () => {
    const file = path.join(box.home, '.cairn', 'bin', 'pulumi');
    expect(await box.cairn(['alias'])).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect(statSync(file).mode & 0o111).toBe(0o111);
  });

  test('works in a package of modules, and is written again without being told', async () => {
    box.write('package.json', '{"type":"module"}');
    for (const _time of [1, 2]) expect(await box.cairn(['alias', 'bin'])).toMatchObject({ code: 0 });
    expect(alias(['version'])).toMatchObject({ status: 0 });
  });

  test('says nothing of PATH when it is found there, and which one is found when that is another', async () => {
    const env = (first: string) => ({ env: { PATH: `${first}:${process.env['PATH'] ?? ''}` } });
    await box.cairn(['alias', 'bin']);
    expect((await box.cairn(['alias', 'bin'], env(bin))).stderr).toBe('');
    const said = (await box.cairn(['alias', 'other'], env(bin))).stderr;
    expect(said).toContain(`pulumi is ${path.join(bin, 'pulumi')}`);
    expect(said).toContain(`export PATH="${path.join(box.directory, 'other')}:$PATH"`);
  });

  test('takes no place of an executable that is not ours, unless it is told to', async () => {
    mkdirSync(bin);
    const file = path.join(bin, 'pulumi');
    writeFileSync(file, 'somebody else’s');
    const refused = await box.cairn(['alias', 'bin']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('error[CAIRN-ALIAS]');
    expect(readFileSync(file, 'utf8')).toBe('somebody else’s');
    expect(await box.cairn(['alias', 'bin', '--force'])).toMatchObject({ code: 0 });
    expect(alias(['version'])).toMatchObject({ status: 0 });
  });

  test('says so when the Cairn behind it is gone, or the place cannot be written', async () => {
    await box.cairn(['alias', 'bin']);
    const file = path.join(bin, 'pulumi');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/bin/cairn.cjs', '/bin/gone.cjs'), {
      mode: 0o755,
    });
    const gone = alias(['version']);
    expect(gone.status).toBe(255);
    expect(gone.stderr).toContain('error[CAIRN-ALIAS]');
    rmSync(bin, { recursive: true });
    writeFileSync(bin, 'a file');
    const refused = await box.cairn(['alias', 'bin']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`cannot write ${file}`);
    expect(existsSync(file)).toBe(false);
  });
});
