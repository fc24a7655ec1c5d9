import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '@cairn/diagnostics';
import { revealSecrets, untypedDeploymentText } from '@cairn/state';
import { warnOfSecrets, withStack } from '../session/open-stack.js';
import { stateCrypter } from '../session/secrets.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  withStack(world, flags, async ({ backend, id }) => {
    const { deployment: stored } = await backend.read(id, { integrity: 'skip' });
    const show = flags.on('show-secrets') && stored !== undefined;
    if (show) warnOfSecrets(world);
    const deployment = show
      ? revealSecrets(stored, await stateCrypter(world, stored), `the state of ${id.stack}`)
      : stored;
    const text = untypedDeploymentText(deployment);
    const file = flags.text('file');
    if (file === undefined) world.stdout.write(text);
    else await writeFile(path.resolve(world.cwd, file), text);
    return EXIT.ok;
  });
