import { EXIT } from '@cairn/diagnostics';
import { chooseSecretsManager, loadStackFile, saveStackFile } from '@cairn/workspace';
import { emptyDeployment, importedDeployment, readUntypedDeployment } from '@cairn/state';
import { withStack } from '../session/open-stack.js';
import { tell } from '../session/tell.js';
import { choiceSources, stateCrypter } from '../session/secrets.js';
import { readDocument } from '../session/state-document.js';
import type { CommandCode } from './command-spec.js';

export const run: CommandCode['run'] = async ({ flags }, world) =>
  withStack(world, flags, async ({ project, backend, id }) => {
    const file = flags.text('file');
    const source = file ?? 'the document on stdin';
    const document =
      readUntypedDeployment(await readDocument(world, file), source).deployment ?? emptyDeployment;
    const stackFile = await loadStackFile(project, id.stack);
    const choice = await chooseSecretsManager(stackFile.settings, choiceSources(world, backend, id));
    const { deployment, warnings } = importedDeployment(document, {
      stack: id.stack,
      source,
      force: flags.on('force'),
      skipIntegrity: flags.on('disable-integrity-checking'),
      from: await stateCrypter(world, document),
      to: await choice.manager.crypter(),
      secretsProvider: { type: choice.manager.type, state: choice.manager.state },
    });
    tell(world, warnings);
    tell(world, await backend.replace(id, deployment));
    if (choice.changed) await saveStackFile(stackFile, { secrets: choice.settings });
    world.stderr.write(`Imported ${deployment.resources.length} resources into stack ${id.stack}\n`);
    return EXIT.ok;
  });
