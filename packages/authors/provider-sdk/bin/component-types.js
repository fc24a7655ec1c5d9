#!/usr/bin/env node
// Runs the last step of the build of a package with components. `cairn-component-types dist/site.js …` writes the
// schema of their TypeScript types beside each built module.
import { writeComponentTypes } from '../dist/component-types/index.js';

const modules = process.argv.slice(2);
try {
  if (modules.length === 0) throw new Error('usage: cairn-component-types MODULE…, such as dist/site.js');
  for (const module of modules) writeComponentTypes(module);
} catch (error) {
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
}
