#!/usr/bin/env node
// npm run -s cairn -- WORDS: runs the command from the present sources, in the folder that npm was called in. Builds
// changed packages that programs import.
import { sourceCommand } from './dev/source-command.mjs';
import { ensureBuilt, ensureInstalled, requireNode } from './setup.mjs';

requireNode();
ensureInstalled();
ensureBuilt(['sdk', 'provider-random', 'provider-local', 'provider-postgresql']);
const command = await sourceCommand();
await command.rebuild();
await command.dispose();
if (process.env.INIT_CWD !== undefined) process.chdir(process.env.INIT_CWD);
await import('./dev/run.mjs');
