import { readFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const program = `
import { RandomPet } from '@cairn/provider-random';

export const first = new RandomPet('first', { length: 2 }).result;
export const second = new RandomPet('second', { length: 2 }).result;
`;

describe('edits of the state', () => {
  let box: Sandbox;
  beforeAll(async () => {
    box = sandbox({ 'index.ts': program });
    giveStack(box);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  });
  afterAll(() => box.remove());

  const output = async (name: string): Promise<string> =>
    expectOk(await box.cairn(['stack', 'output', name])).stdout.trim();
  const urnOf = async (name: string): Promise<string> => {
    const { stdout } = expectOk(await box.cairn(['stack', '--show-urns']));
    const found = stdout.split(/\s+/).find((word) => word.startsWith('urn:') && word.endsWith(`::${name}`));
    if (found === undefined) throw new Error(`no URN of ${name} in:\n${stdout}`);
    return found;
  };

  test('what is tainted is replaced by the next update, once [DIFF-2]', async () => {
    const [first, second] = [await output('first'), await output('second')];
    const marked = expectOk(await box.cairn(['state', 'taint', await urnOf('first')]));
    expect(marked.text).toContain('is replaced by the next update');
    const preview = expectOk(await box.cairn(['preview']));
    expect(preview.stdout).toContain('it is tainted');
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(await output('first')).not.toBe(first);
    expect(await output('second')).toBe(second);
    expectOk(await box.cairn(['up', '--yes', '--skip-preview', '--expect-no-changes']));
  });

  test('the mark can be taken away again [DIFF-2]', async () => {
    expectOk(await box.cairn(['state', 'taint', await urnOf('first'), await urnOf('second')]));
    expectOk(await box.cairn(['state', 'untaint', '--all']));
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
    expect(expectOk(await box.cairn(['state', 'untaint', '--all'])).text).toContain(
      'Nothing had to be changed',
    );
  });

  test('a URN that is not there is an error, and nothing is marked [DIFF-2]', async () => {
    const refused = await box.cairn([
      'state',
      'taint',
      await urnOf('first'),
      'urn:pulumi:dev::shop::a:b:C::none',
    ]);
    expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('a:b:C::none')]);
    expect((await box.cairn(['state', 'taint'])).code).toBe(2);
    expect((await box.cairn(['state', 'untaint'])).code).toBe(2);
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
  });

  test('what is renamed in the program and in the state is the same resource', async () => {
    const second = await output('second');
    expectOk(await box.cairn(['state', 'rename', await urnOf('second'), 'third', '--yes']));
    box.write('index.ts', program.replace("RandomPet('second'", "RandomPet('third'"));
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
    expect(await output('second')).toBe(second);
  });

  test('what is protected in the state is not deleted; what is taken out of it is created anew', async () => {
    const [first, second] = [await output('first'), await output('second')];
    expectOk(await box.cairn(['state', 'protect', await urnOf('first'), '--yes']));
    const refused = await box.cairn(['destroy', '--yes', '--skip-preview', '--target', await urnOf('first')]);
    expect([refused.code, refused.text]).toEqual([4, expect.stringContaining('protect')]);
    expectOk(await box.cairn(['state', 'unprotect', '--all', '--yes']));
    expectOk(await box.cairn(['state', 'delete', await urnOf('first'), '--yes']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
    expect(await output('first')).not.toBe(first);
    expect(await output('second')).toBe(second);
  });

  test('under the other name, edits are counted as scripts expect it', async () => {
    expectOk(await box.cairn(['alias', 'bin']));
    const run = async (...words: string[]): Promise<string> => {
      const command = path.join(box.directory, 'bin', 'pulumi');
      const { stdout } = await promisify(execFile)(command, ['state', ...words, '--yes'], {
        cwd: box.directory,
        env: box.env as NodeJS.ProcessEnv,
      });
      return stdout.trim();
    };
    const urns = [await urnOf('first'), await urnOf('third')];
    expect(await run('protect', ...urns)).toBe('2 resources protected');
    expect(await run('unprotect', '--all')).toBe('All resources unprotected');
    expect(await run('taint', urns[0] ?? '')).toBe('1 resources tainted');
    expect(await run('untaint', '--all')).toBe('All resources untainted');
  });

  test('destroy --exclude-protected says how many resources stay', async () => {
    expectOk(await box.cairn(['state', 'protect', await urnOf('first'), '--yes']));
    const destroy = () => box.cairn(['destroy', '--yes', '--skip-preview', '--exclude-protected']);
    const [done, nothing] = [expectOk(await destroy()), expectOk(await destroy())];
    // The protected resource, its provider and the stack itself.
    expect(done.stdout).toContain('All unprotected resources were destroyed. There are still 3 protected');
    expect(nothing.stdout).toContain('There were no unprotected resources to destroy. There are still 3');
    expectOk(await box.cairn(['state', 'unprotect', '--all', '--yes']));
    expectOk(await box.cairn(['up', '--yes', '--skip-preview']));
  });

  test('a stack gets another project, and is the same stack once the project file says so', async () => {
    const renamed = expectOk(await box.cairn(['stack', 'rename', 'organization/store/dev']));
    expect(renamed.stdout).toBe('Renamed dev to organization/store/dev\n');
    expect(renamed.stderr).toContain('now belongs to project store');
    const settings = readFileSync(path.join(box.directory, 'Cairn.yaml'), 'utf8');
    box.write('Cairn.yaml', settings.replace('name: shop', 'name: store'));
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
    expectOk(await box.cairn(['stack', 'rename', 'organization/shop/dev']));
    box.write('Cairn.yaml', settings);
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
  });

  test('a stack that was renamed is the same stack, and what was moved away is not in it', async () => {
    expectOk(await box.cairn(['stack', 'rename', 'next']));
    expectOk(await box.cairn(['preview', '--expect-no-changes']));
    expectOk(await box.cairn(['stack', 'init', 'other', '--no-select']));
    const moved = await urnOf('first');
    expectOk(await box.cairn(['state', 'move', moved, '--dest', 'other', '--yes']));
    expect(expectOk(await box.cairn(['stack', '--show-urns'])).stdout).not.toContain(moved);
    const there = expectOk(await box.cairn(['stack', '--show-urns', '--stack', 'other'])).stdout;
    expect(there).toContain(moved.replace('urn:pulumi:next', 'urn:pulumi:other'));
    expectOk(await box.cairn(['destroy', '--yes', '--skip-preview', '--stack', 'other']));
  });
});
