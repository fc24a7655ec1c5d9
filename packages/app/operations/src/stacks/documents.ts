import { bucketOf, isSealedDocument, openDocument } from '@cairn/backends';
import type { SecretsManager } from '@cairn/crypters';
import { isCairnError } from '@cairn/diagnostics';
import {
  emptyDeployment,
  importedDeployment,
  readUntypedDeployment,
  revealSecrets,
  untypedDeploymentPieces,
} from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { chooseSecretsManager, loadStackFile, saveStackFile } from '@cairn/workspace';
import type { OpenStack } from '../access/open-stack.js';
import { choiceSources, managerOf, openManager, stateCrypter } from '../access/secrets.js';
import { tell } from '../ports.js';
import type { Ports } from '../ports.js';
import { forgottenSteps, unresolvedSteps } from './forgotten-steps.js';

/** Options of an export. */
interface ExportOptions {
  /** Number of the update whose resulting state is exported. Defaults to the present state. */
  readonly version?: number | undefined;
  /** Writes secrets in the clear; the document is not sealed then. */
  readonly showSecrets?: boolean | undefined;
  /** Exports a state that is sealed as a whole in the clear. */
  readonly plain?: boolean | undefined;
}

/** Returns the state of a stack as a document, in pieces, because it may be larger than the largest string. */
export async function exportStack(
  { ports, backend, id }: Omit<OpenStack, 'project'>,
  { version, showSecrets = false, plain = false }: ExportOptions = {},
): Promise<Iterable<string>> {
  // That of a version is wanted above all when the present one cannot be read. Only buckets seal states whole.
  const isPast = version !== undefined && backend.bucket === undefined;
  const { deployment: present, sealed } = isPast ? NOT_READ : await backend.read(id, { integrity: 'skip' });
  const stored = version === undefined ? present : await backend.stateAfter(id, version);
  const show = showSecrets && stored !== undefined;
  if (show) ports.interaction.notice({ t: 'secrets-shown' });
  const deployment = show
    ? revealSecrets(stored, await stateCrypter(ports, stored), `the state of ${id.stack}`)
    : stored;
  const pieces = untypedDeploymentPieces(deployment);
  return !sealed || plain || show ? pieces : bucketOf(backend, 'seal the export').sealDocument(id, pieces);
}

const NOT_READ = { deployment: undefined, sealed: false } as const;

/** Options of an import. */
interface ImportDocumentOptions {
  /** Name of the document in errors. */
  readonly source: string;
  /** Accepts the document of another stack. */
  readonly force?: boolean | undefined;
  /** Accepts an inconsistent document. */
  readonly skipIntegrity?: boolean | undefined;
}

/** Returns the manager of the state of a stack. One that cannot be read is replaced: the document's manager stays. */
async function presentManager(
  { ports, backend, id }: Pick<OpenStack, 'ports' | 'backend' | 'id'>,
  document: SerializedDeployment,
): Promise<SecretsManager | undefined> {
  try {
    if (!(await backend.exists(id))) return undefined;
    const { deployment } = await backend.read(id, { integrity: 'skip' });
    return deployment && managerOf(ports, deployment);
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
    return managerOf(ports, document);
  }
}

/**
 * Makes a document the state of a stack, with secrets sealed by the stack's manager; a sealed document is opened.
 * `given` is its text, or reads it: the text of a large document is then not kept while the state is stored. Resolves
 * with the number of resources. Throws CAIRN-STATE-SEALED, CAIRN-STATE-CORRUPT, CAIRN-STATE-INTEGRITY.
 */
export async function importStack(
  { ports, project, backend, id }: OpenStack,
  given: Uint8Array | (() => Promise<Uint8Array>),
  { source, force = false, skipIntegrity = false }: ImportDocumentOptions,
): Promise<number> {
  const inDoubt = await unresolvedSteps({ backend, id });
  const document = await documentOf(ports, given, source);
  const file = await loadStackFile(project, id.stack);
  const choice = await chooseSecretsManager(file.settings, {
    ...choiceSources(ports, backend, id),
    stateManager: () => presentManager({ ports, backend, id }, document),
  });
  const { deployment, warnings } = importedDeployment(document, {
    stack: id.stack,
    ...{ source, force, skipIntegrity },
    from: await stateCrypter(ports, document),
    to: await choice.manager.crypter(),
    secretsProvider: { type: choice.manager.type, state: choice.manager.state },
  });
  tell(ports, warnings);
  tell(ports, await backend.replace(id, deployment));
  // Those of the document were named as they were left out.
  tell(ports, forgottenSteps(inDoubt, document.pendingOperations));
  if (choice.changed) await saveStackFile(file, () => ({ secrets: choice.settings }));
  return deployment.resources.length;
}

async function documentOf(
  ports: Ports,
  given: Uint8Array | (() => Promise<Uint8Array>),
  source: string,
): Promise<SerializedDeployment> {
  const bytes = typeof given === 'function' ? await given() : given;
  const opened = isSealedDocument(bytes)
    ? await openDocument(bytes, source, async (manager) => openManager(ports, manager).crypter())
    : bytes;
  return readUntypedDeployment(opened, source).deployment ?? emptyDeployment;
}
