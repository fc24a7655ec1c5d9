import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Finished } from '../support/cairn.js';

const program = `console.log('the program runs'); export const color = 'red';`;
const none = { CAIRN_CONFIG_PASSPHRASE: undefined };

test('a wrong passphrase is found before anything is asked, shown as a result, or done', async () => {
  const box = sandbox({ 'index.ts': program });
  try {
    expectOk(await box.cairn(['stack', 'init', 'dev']));
    const env = { CAIRN_CONFIG_PASSPHRASE: 'another one' };
    const refused = (end: Finished): void => {
      expect(end.code).toBe(3);
      expect(end.stderr).toContain('error[CAIRN-PASSPHRASE-WRONG]');
      expect(end.text).not.toMatch(/Resources:|Outputs:|Do you want/);
    };
    for (const words of [
      ['preview'],
      ['preview', '--json'],
      ['up', '--yes'],
      ['up', '--yes', '--skip-preview'],
      ['up', '--yes', '--detach'],
      ['refresh', '--yes'],
      ['destroy', '--yes'],
    ])
      refused(await box.cairn(words, { env }));
    const up = await box.cairn(['up', '--yes'], { env });
    expect(up.text).not.toContain('the program runs');
    expect(expectOk(await box.cairn(['changes', '--json'])).stdout.trim()).toBe('[]');
    expectOk(await box.cairn(['up', '--yes']));
  } finally {
    box.remove();
  }
});

test('without a passphrase and a terminal no stack is created, unless one may be made; both say where it is', async () => {
  const box = sandbox({ 'index.ts': program });
  const file = path.join(box.home, '.cairn', 'passphrase');
  try {
    for (const words of [
      ['stack', 'init', 'dev'],
      ['stack', 'select', '--create', 'dev'],
      ['up', '--yes'],
    ]) {
      const refused = await box.cairn(words, { env: none });
      expect([refused.code, existsSync(file)]).toEqual([3, false]);
      expect(refused.stderr).toContain('error[CAIRN-PASSPHRASE-MISSING]: cannot create the stack');
      expect(refused.stderr).toContain(
        `CAIRN_GENERATE_PASSPHRASE=true to generate one and store it in ${file}`,
      );
    }
    expect(JSON.parse(expectOk(await box.cairn(['stack', 'ls', '--json'])).stdout)).toEqual([]);
    const made = await box.cairn(['stack', 'init', 'dev'], {
      env: { ...none, CAIRN_GENERATE_PASSPHRASE: 'true' },
    });
    expect(expectOk(made).stderr).toContain(`generated one and stored it in ${file}`);
    expect(readFileSync(file, 'utf8')).not.toBe('');
    expectOk(await box.cairn(['up', '--yes'], { env: none }));
  } finally {
    box.remove();
  }
});
