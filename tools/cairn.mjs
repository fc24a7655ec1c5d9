#!/usr/bin/env node
// npm run -s cairn -- WORDS: the command from the sources as they are, in the folder that npm was called in. What
// programs import is built when it has changed.
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
