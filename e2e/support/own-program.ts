import path from 'node:path';
import { sandbox } from './cairn.js';
import type { Sandbox } from './cairn.js';
import { giveStack } from './given-stack.js';

/**
 * Makes a project whose program is the given source of a script, run in place of an SDK's own. It gets the addresses of
 * the engine on its command line and sends what it likes. The stack `dev` exists.
 */
export function ownProgram(runner: string): Sandbox {
  const box = sandbox({
    'Cairn.yaml': 'name: shop\nruntime: nodejs\n',
    'package.json': JSON.stringify({
      name: 'shop',
      main: 'index.js',
      dependencies: { '@pulumi/pulumi': '*' },
    }),
    'index.js': '',
    'runner.js': runner,
  });
  box.env['PULUMI_LANGUAGE_NODEJS_RUN_PATH'] = path.join(box.directory, 'runner.js');
  giveStack(box);
  return box;
}
