import { isSealedDocument, openDocument } from '@cairn/backends';
import {
  emptyDeployment,
  importedDeployment,
  readUntypedDeployment,
  revealSecrets,
  untypedDeploymentPieces,
} from '@cairn/state';
import { chooseSecretsManager, loadStackFile, saveStackFile } from '@cairn/workspace';
import type { OpenStack } from '../access/open-stack.js';
import { choiceSources, openManager, stateCrypter } from '../access/secrets.js';
import { tell } from '../ports.js';

/** What of a stack is exported. */
interface ExportOptions {
  /** The state as the update of this number left it; absent: as it is. */
  readonly version?: number | undefined;
  /** Secrets in the clear; the document is not sealed then. */
  readonly showSecrets?: boolean | undefined;
  /** A state that is sealed whole is exported in the clear. */
  readonly plain?: boolean | undefined;
}

/** The state of a stack as a document, in pieces, because it may be larger than a text can be. */
export async function exportStack(
  { ports, backend, id }: Omit<OpenStack, 'project'>,
  { version, showSecrets = false, plain = false }: ExportOptions = {},
): Promise<Iterable<string>> {
  const { deployment: present, sealed } = await backend.read(id, { integrity: 'skip' });
  const stored = version === undefined ? present : await backend.stateAfter(id, version);
  const show = showSecrets && stored !== undefined;
  if (show) ports.interaction.notice({ t: 'secrets-shown' });
  const deployment = show
    ? revealSecrets(stored, await stateCrypter(ports, stored), `the state of ${id.stack}`)
    : stored;
  const pieces = untypedDeploymentPieces(deployment);
  return !sealed || plain || show ? pieces : backend.sealDocument(id, pieces);
}

/** How a document becomes the state of a stack. */
interface ImportDocumentOptions {
  /** What errors call the document. */
  readonly source: string;
  /** Takes it although it is one of another stack. */
  readonly force?: boolean | undefined;
  /** Takes it although it is not consistent. */
  readonly skipIntegrity?: boolean | undefined;
}

/**
 * Makes a document the state of a stack, its secrets sealed by the stack's manager; a sealed document is opened.
 * Resolves with how many resources it has. Throws CAIRN-STATE-SEALED, CAIRN-STATE-CORRUPT, CAIRN-STATE-INTEGRITY.
 */
export async function importStack(
  { ports, project, backend, id }: OpenStack,
  bytes: Uint8Array,
  { source, force = false, skipIntegrity = false }: ImportDocumentOptions,
): Promise<number> {
  const opened = isSealedDocument(bytes)
    ? await openDocument(bytes, source, async (manager) => openManager(ports, manager).crypter())
    : bytes;
  const document = readUntypedDeployment(opened, source).deployment ?? emptyDeployment;
  const file = await loadStackFile(project, id.stack);
  const choice = await chooseSecretsManager(file.settings, choiceSources(ports, backend, id));
  const { deployment, warnings } = importedDeployment(document, {
    stack: id.stack,
    ...{ source, force, skipIntegrity },
    from: await stateCrypter(ports, document),
    to: await choice.manager.crypter(),
    secretsProvider: { type: choice.manager.type, state: choice.manager.state },
  });
  tell(ports, warnings);
  tell(ports, await backend.replace(id, deployment));
  if (choice.changed) await saveStackFile(file, () => ({ secrets: choice.settings }));
  return deployment.resources.length;
}
