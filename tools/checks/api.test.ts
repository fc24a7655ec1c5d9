import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');

test('the references of the SDKs say what is exported, and everything exported has a comment', () => {
  const tool = path.join(root, 'tools', 'api-reference.mjs');
  const said = spawnSync(process.execPath, [tool, '--check'], { encoding: 'utf8' });
  expect({ said: said.stdout + said.stderr, status: said.status }).toEqual({ said: '', status: 0 });
}, 60_000);
