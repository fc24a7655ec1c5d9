#!/usr/bin/env node
// The command from sources as it was bundled last: for use beside `npm run dev`, in any folder.
import { pathToFileURL } from 'node:url';
import { sourceMain } from './source-command.mjs';

const { runProcess } = await import(pathToFileURL(sourceMain).href);
await runProcess();
