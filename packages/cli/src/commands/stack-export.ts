import { EXIT } from '@cairn/diagnostics';
import { revealSecrets, untypedDeploymentPieces } from '@cairn/state';
import { stateCrypter } from '@cairn/operations';
import { writeDocument } from '../session/state-document.js';
import type { CommandCode } from './command-spec.js';
import { warnOfSecrets, withStack } from '../session/open-stack.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  withStack(world, flags, async ({ ports, backend, id }) => {
    const { deployment: present, sealed } = await backend.read(id, { integrity: 'skip' });
    const version = flags.count('version');
    const stored = version === undefined ? present : await backend.stateAfter(id, version);
    const show = flags.on('show-secrets') && stored !== undefined;
    if (show) warnOfSecrets(world);
    const deployment = show
      ? revealSecrets(stored, await stateCrypter(ports, stored), `the state of ${id.stack}`)
      : stored;
    const pieces = untypedDeploymentPieces(deployment);
    const plain = !sealed || flags.on('plain') || show;
    await writeDocument(world, flags.text('file'), plain ? pieces : await backend.sealDocument(id, pieces));
    return EXIT.ok;
  });
