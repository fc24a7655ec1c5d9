import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { sandbox } from './cairn.js';
import type { Sandbox } from './cairn.js';

/** Makes the project of a program that uses the provider of the benchmarks. */
export function benchProject(program: string): Sandbox {
  const box = sandbox({
    'index.ts': program,
    'package.json': JSON.stringify({
      name: 'shop',
      private: true,
      type: 'module',
      dependencies: { '@cairn/sdk': '*', 'cairn-bench-provider': '*' },
    }),
  });
  const modules = path.join(box.directory, 'node_modules');
  mkdirSync(modules);
  const provider = path.resolve(__dirname, '..', '..', 'tools', 'bench', 'provider');
  symlinkSync(provider, path.join(modules, 'cairn-bench-provider'));
  return box;
}
