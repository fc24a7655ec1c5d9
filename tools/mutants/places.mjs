import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { inPackage } from '../workspaces.mjs';

/** Folders and files of each package of recovery: code that runs after a command has died, or is rolled back. */
export const RECOVERY = [
  ['operations/src/recovery'],
  ['backends/src/bucket/recovery'],
  ['engine/src/recover', 'engine/src/execute/undo', 'engine/src/execute/limits', 'engine/src/decide/undo.ts'],
  ['engine/src/decide/continued.ts', 'engine/src/model/history.ts', 'engine/src/ledger'],
  ['changes/src'],
  [
    'state/src/journal/replayer.ts',
    'state/src/journal/journal-codec.ts',
    'state/src/journal/journal-entry.ts',
  ],
  ['tfplugin/src/contract'],
].map((names) => names.map(inPackage));

/** The sources in a folder, or a file itself; neither tests nor generated ones. */
export function sourcesIn(place) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('generated'))
    .sort()
    .map((name) => path.join(place, name));
}
