import { EXIT } from '@cairn/diagnostics';
import { chooseSecretsManager, loadStackFile, saveStackFile } from '@cairn/workspace';
import { emptyDeployment, importedDeployment, readUntypedDeployment } from '@cairn/state';
import { choiceSources, stateCrypter } from '@cairn/operations';
import { tell } from '../session/tell.js';
import { readDocument } from '../session/state-document.js';
import type { CommandCode } from './command-spec.js';
import { withStack } from '../session/open-stack.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  withStack(world, flags, async ({ ports, project, backend, id }) => {
    const file = flags.text('file');
    const source = file ?? 'the document on stdin';
    const document =
      readUntypedDeployment(await readDocument(world, ports, file), source).deployment ?? emptyDeployment;
    const stackFile = await loadStackFile(project, id.stack);
    const choice = await chooseSecretsManager(stackFile.settings, choiceSources(ports, backend, id));
    const { deployment, warnings } = importedDeployment(document, {
      stack: id.stack,
      source,
      force: flags.on('force'),
      skipIntegrity: flags.on('disable-integrity-checking'),
      from: await stateCrypter(ports, document),
      to: await choice.manager.crypter(),
      secretsProvider: { type: choice.manager.type, state: choice.manager.state },
    });
    tell(world, warnings);
    tell(world, await backend.replace(id, deployment));
    if (choice.changed) await saveStackFile(stackFile, { secrets: choice.settings });
    world.stderr.write(`Imported ${deployment.resources.length} resources into stack ${id.stack}\n`);
    return EXIT.ok;
  });
