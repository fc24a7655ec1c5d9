#!/usr/bin/env node
// Runs the last bundle of the command from sources: for use beside `npm run dev`, in any folder.
import { pathToFileURL } from 'node:url';
import { sourceMain } from './source-command.mjs';

const { runProcess } = await import(pathToFileURL(sourceMain).href);
await runProcess();
