#!/usr/bin/env node
// npm run dev: rebuilds changed packages until it is interrupted. The command from sources, which `node
// tools/dev/run.mjs` runs, is ready again in a fraction of a second; the packages that programs import follow.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import path from 'node:path';
import { sourceCommand } from './dev/source-command.mjs';
import { ensureBuilt, ensureInstalled, requireNode, root } from './setup.mjs';
import { packageFolders } from './workspaces.mjs';

requireNode();
ensureInstalled();
const IMPORTED = ['sdk', 'provider-random', 'provider-local', 'provider-postgresql'];
ensureBuilt(IMPORTED);
let started = 0;
const command = await sourceCommand([
  {
    name: 'tell',
    setup({ onStart, onEnd }) {
      onStart(() => void (started = performance.now()));
      onEnd(({ errors }) => {
        const ms = Math.round(performance.now() - started);
        say(
          errors.length > 0 ? `the command has ${errors.length} errors` : `the command is there (${ms} ms)`,
        );
      });
    },
  },
]);
await command.watch();
for (const folder of packageFolders.values())
  watch(path.join(folder, 'src'), { recursive: true }, (_event, file) => {
    if (file !== null && !file.endsWith('.test.ts')) later();
  });

let timer;
let building = false;
/** Builds what has changed once nothing has changed for a moment, one build at a time. */
function later() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (building) return later();
    building = true;
    const build = spawn(process.execPath, ['tools/build.mjs', ...IMPORTED], { cwd: root, stdio: 'inherit' });
    build.on('close', (code) => {
      building = false;
      say(code === 0 ? 'packages of programs are built' : 'packages of programs cannot be built');
    });
  }, 100);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
