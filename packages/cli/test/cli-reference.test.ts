import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

test('docs/cli.md says what the command table says', async () => {
  const root = join(__dirname, '..', '..', '..');
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(root, 'tools', 'cli-reference.mjs'),
    '--check',
  ]).catch((thrown: { stdout: string }) => thrown);
  expect(stdout).toBe('');
});
