import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { onTerminal, quoted, whyNoTerminals } from '../support/terminal.js';

const program = `
import { Config } from '@cairn/sdk';
import { ComponentResource } from '@cairn/sdk';
import { LocalFile } from '@cairn/provider-local';
class Site extends ComponentResource {
  constructor(name: string) {
    super('shop:index:Site', name);
    new LocalFile('page', { path: 'page.txt', content: 'page' }, { parent: this });
  }
}
new Site('site');
export const file = new LocalFile('note', { path: 'note.txt', content: new Config().get('region') ?? '' }).path;
`;
const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

describe('completion', () => {
  let box: Sandbox;
  let bin: string;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': program });
    bin = path.join(box.home, 'bin');
    mkdirSync(bin);
    const command = path.resolve(import.meta.dirname, '../../packages/edges/cli/bin/cairn.cjs');
    writeFileSync(path.join(bin, 'cairn'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
    chmodSync(path.join(bin, 'cairn'), 0o755);
    for (const stack of ['prod', 'dev']) expectOk(await box.cairn(['stack', 'init', stack]));
    expectOk(await box.cairn(['config', 'set', 'region', 'eu-west-1']));
    expectOk(await box.cairn(['up', '--yes']));
  });
  afterAll(() => box.remove());

  const env = (): NodeJS.ProcessEnv => {
    return { ...box.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` } as NodeJS.ProcessEnv;
  };
  const asked = async (...words: string[]): Promise<readonly string[]> => {
    const { stdout, stderr } = expectOk(await box.cairn(['__complete', '--', ...words]));
    expect(stderr).toBe('');
    return stdout.split('\n').filter((line) => line !== '');
  };

  test.each<[string[], string[]]>([
    [['pre'], ['preview']],
    [['stack', 'sel'], ['select']],
    [
      ['up', '--skip-p'],
      ['--skip-preview', '--skip-plugin-pre-install'],
    ],
    [
      ['stack', 'select', ''],
      ['dev', 'prod'],
    ],
    [['up', '--stack', 'p'], ['prod']],
    [['up', '--stack=p'], ['--stack=prod']],
    [['config', 'get', ''], ['region']],
    [['up', '--on-error', 'r'], ['rollback']],
    [['follow', ''], ['1']],
    [['gen-completion', 'z'], ['zsh']],
    [['up', '--message', ''], []],
    [['frobnicate', ''], []],
  ])('%j', async (words, answers) => {
    const found = await asked(...words);
    for (const answer of answers) expect(found).toContain(answer);
    if (answers.length === 0) expect(found).toEqual([]);
    for (const each of found) expect(each.startsWith(words.at(-1) ?? '')).toBe(true);
  });

  test('URNs of the stack that is named', async () => {
    const urns = await asked('up', '--target', 'urn:');
    expect(urns.some((urn) => urn.endsWith('::note'))).toBe(true);
    expect(await asked('up', '--stack', 'prod', '--target', 'urn:')).toEqual([]);
    expect(await asked('state', 'get', 'urn:')).toEqual(urns);
  });

  test('flags that are refused are not offered, and nothing is said where nothing can be known', async () => {
    expect(await asked('up', '--ne')).toEqual([]);
    const nowhere = await box.cairn(['__complete', '--', 'stack', 'select', ''], {
      env: { CAIRN_BACKEND_URL: 'file:///nowhere/at/all' },
    });
    expect(nowhere).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('in bash', async () => {
    const { stdout } = expectOk(await box.cairn(['gen-completion', 'bash']));
    const complete = (line: string): readonly string[] => {
      const text = `${stdout}\nCOMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}; _cairn_complete; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p cairn`;
      const ran = spawnSync('bash', ['--norc', '-c', text], {
        cwd: box.directory,
        env: env(),
        encoding: 'utf8',
      });
      expect(ran.stderr).toBe('');
      const lines = ran.stdout.trim().split('\n');
      expect(lines.at(-1)).toBe('complete -o default -F _cairn_complete cairn');
      return lines.slice(0, -1);
    };
    expect(complete('cairn stack sel')).toEqual(['select']);
    expect(complete('cairn -C . up --stack p')).toEqual(['prod']);
    expect(complete('cairn up --stack=p')).toEqual(['prod']);
    expect(complete('cairn state get urn:pulumi:dev::shop::')).toContainEqual(expect.stringMatching(/^[^:]/));
  });

  const inShell = (shell: string) => (has(shell) && whyNoTerminals() === undefined ? test : test.skip);

  /** Types a line at the prompt of a shell, `\t` for the key, and returns the line once it is complete. */
  async function typed(
    start: readonly string[],
    setUp: string,
    line: string,
    complete: string,
  ): Promise<void> {
    const { PATH } = env();
    const shell = onTerminal(box, [], { program: start, columns: 200, env: { PATH, PS1: 'ready> ' } });
    shell.type(`PS1='ready''> '; ${setUp}\r`);
    await shell.shown('ready> ');
    shell.type(line);
    await shell.shown(complete);
    // The completed line works: the command finds the chosen resource.
    shell.type('\r');
    await shell.shown(/URN: +urn:pulumi:dev::shop::shop:index:Site\$cairn-local:index:File::page\s/);
    await shell.shown('ready> ');
    shell.type('exit\r');
    await shell.finished;
  }

  const bashStart = ['bash', '--norc', '--noprofile', '-i'];
  const zshStart = ['zsh', '-f', '-i'];
  const site = 'cairn state get urn:pulumi:dev::shop::shop:index:Site';
  const single = site.replace('urn', "'urn");
  const end = 'index:File::page';
  inShell('bash').each([
    ['as it is', `${site}\\$\t`, `Site\\$cairn-local:${end}`],
    ['in single quotes', `${single}$\t`, `Site$cairn-local:${end}'`],
    ['in double quotes', `${site.replace('urn', '"urn')}\\$\t`, `Site\\$cairn-local:${end}"`],
    ['that is known further', `${site}\\$cai\t`, `Site\\$cairn-local:${end}`],
  ])('an interactive bash (skipped without a terminal): a URN %s', (_, line, complete) =>
    typed(bashStart, 'source <(cairn gen-completion bash)', line, complete),
  );

  const zshSetUp = 'autoload -U compinit; compinit -u; source <(cairn gen-completion zsh)';
  inShell('zsh').each([
    ['as it is', `${site}\\$\t`, `Site\\$cairn-local:${end}`],
    ['in single quotes', `${single}$\t`, `Site$cairn-local:${end}'`],
    ['in double quotes', `${site.replace('urn', '"urn')}\\$\t`, `Site\\$cairn-local:${end}"`],
    ['that is known further', `${site}\\$cai\t`, `Site\\$cairn-local:${end}`],
  ])('an interactive zsh (skipped where there is none): a URN %s', (_, line, complete) =>
    typed(zshStart, zshSetUp, line, complete),
  );

  inShell('fish')('in fish (skipped where there is none)', async () => {
    const { stdout } = expectOk(await box.cairn(['gen-completion', 'fish']));
    const complete = (line: string): readonly string[] => {
      const text = `${stdout}\ncomplete -C ${quoted(line)}`;
      const ran = spawnSync('fish', ['-c', text], { cwd: box.directory, env: env(), encoding: 'utf8' });
      expect(ran.stderr).toBe('');
      return ran.stdout.trim().split('\n');
    };
    expect(complete('cairn stack sel')).toEqual(['select']);
    expect(complete('cairn up --stack p')).toEqual(['prod']);
    const urn = 'urn:pulumi:dev::shop::shop:index:Site$cairn-local:index:File::page';
    expect(complete(`${site}\\$`)).toEqual([urn]);
    expect(complete(`${single}$`)).toEqual([urn]);
  });

  test('a shell that is not known', async () => {
    expect((await box.cairn(['completion', 'ksh'])).stderr).toMatch(
      /CAIRN-USAGE[^]*bash, zsh, fish, powershell/,
    );
  });
});
