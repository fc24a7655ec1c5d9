import semver from 'semver';
import { cairnError } from '@cairn/diagnostics';
import { cachingSecretsManager } from '@cairn/crypters';
import type { Crypter } from '@cairn/crypters';
import {
  chooseSecretsManager,
  coerceText,
  isDeclaredSecret,
  loadProject,
  loadStackFile,
  operationConfig,
  saveStackFile,
  secureText,
  secureTexts,
  setConfig,
  treeOfStored,
} from '@cairn/workspace';
import type { ConfigTree, Project, StackFile, StackFileChanges } from '@cairn/workspace';
import { COMPATIBLE_VERSION } from '@cairn/wire';
import { stackNotFound } from '@cairn/backends';
import type { Backend, StackId } from '@cairn/backends';
import { programInfo } from '../access/program-info.js';
import { projectHere } from '../access/project-here.js';
import { backendChoice, openChosenBackend } from '../access/open-backend.js';
import { choiceSources } from '../access/secrets.js';
import { chosenStack, configFileOf, requiredStack } from '../access/stack-choice.js';
import type { StackChoice } from '../access/stack-choice.js';
import { stackOn, stacksOfProject } from '../access/stack-reference.js';
import { stopGraceMs } from '../access/stop-grace.js';
import { passphraseIsAsked } from '../access/user.js';
import { environmentSecrets } from '../masking/environment-secrets.js';
import { maskedError } from '../masking/mask-error.js';
import { SecretMask } from '../masking/mask-secrets.js';
import type { Ports } from '../ports.js';
import { createStack } from '../stacks/create-stack.js';
import type { NewStack } from '../stacks/create-stack.js';
import { configTarget } from '../config/config-values.js';
import type { ParsedConfigValue } from '../config/config-values.js';
import { sealedForStack } from '../config/project-config.js';
import { refuseWrongPassphrase } from './prepared.js';
import { StackDigests } from './stack-digests.js';
import type { Prepared } from './prepared.js';

/** Name of the first stack of a project that has none. */
const FIRST_STACK = 'dev';

/** Choice of the stack of an operation. */
export interface PreparedChoice extends StackChoice, Pick<NewStack, 'secretsProvider'> {
  /** Configuration that is saved first, as `key=value`. */
  readonly config?: readonly string[] | undefined;
  /** Address of a language host that runs the program, `host:port`. Defaults to the host of the project's runtime. */
  readonly client?: string | undefined;
  /**
   * Creates the first stack, at once or after a question, if no stack is named and the project has none. Defaults to no
   * creation.
   */
  readonly firstStack?: 'create' | 'ask' | undefined;
  /** True if keys of `config` are paths into structured values. */
  readonly configPaths?: boolean | undefined;
  /** Accepts a configuration that the project's declarations do not allow. */
  readonly unchecked?: boolean | undefined;
  /** True if the program does not run: a stack that is named in full needs no project here. */
  readonly away?: boolean | undefined;
}

/**
 * Runs a function with a stack that is ready for operations: project, secrets and configuration are known, the backend
 * is open and is closed in any case. Secrets are masked in errors.
 */
export async function withPrepared<T>(
  ports: Ports,
  choice: PreparedChoice,
  run: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  const prepared = await prepare(ports, choice);
  try {
    return await run(prepared);
  } catch (error) {
    throw maskedError(error, prepared.mask.mask);
  } finally {
    await prepared.backend.close();
  }
}

/**
 * Finds project, stack, secrets and configuration. The caller closes the backend. Its errors show no secret: neither
 * one of the environment nor one of the configuration that was opened already.
 */
async function prepare(ports: Ports, choice: PreparedChoice): Promise<Prepared> {
  const mask = new SecretMask();
  try {
    return await found(ports, choice, mask);
  } catch (error) {
    mask.configured(environmentSecrets(ports.env));
    throw maskedError(error, mask.mask);
  }
}

async function found(ports: Ports, choice: PreparedChoice, mask: SecretMask): Promise<Prepared> {
  const graceMs = stopGraceMs(ports.env);
  const { project, here } =
    choice.away === true
      ? await projectHere(ports, choice)
      : { project: await loadProject(ports.cwd), here: true };
  checkRequiredVersion(project);
  if (choice.firstStack !== undefined) await createFirstStack(ports, choice, project);
  const named = await requiredStack(ports, choice, project);
  const { stack } = named;
  const place = await backendChoice(ports, choice, project);
  const { url } = place;
  const backend = await openChosenBackend(ports, choice, place, project);
  try {
    const id = stackOn(backend, named);
    const stored = await loadStackFile(project, stack, configFileOf(ports, choice));
    const read = here ? stored : await withLatestConfig(choice, backend, id, stored);
    for (const warning of [...(project.warnings ?? []), ...read.warnings])
      ports.interaction.notice({ t: 'stack-file', warning });
    if (!(await backend.exists(id))) throw stackNotFound(id, url);
    const secrets = await chooseSecretsManager(read.settings, choiceSources(ports, backend, id));
    let unlocked: Promise<Crypter> | undefined;
    const unlock = (): Promise<Crypter> => (unlocked ??= secrets.manager.crypter());
    const heard = async (): Promise<Crypter> => mask.hearing(await unlock());
    const crypter = cachingSecretsManager({ ...secrets.manager, crypter: heard }, ports.env).crypter();
    // Users of the crypter meet the failure. If none has needed it yet, it is no failure.
    crypter.catch(() => undefined);
    const documents = crypter.then(unlock);
    documents.catch(() => undefined);
    // A question has the terminal for itself: nothing is shown below it before it is answered.
    if (secrets.manager.type === 'passphrase' && passphraseIsAsked(ports)) await crypter;
    const { manager } = secrets;
    let file = read;
    const given = here ? givenValues(choice, project) : [];
    const sealing = given.some(({ secret }) => secret) ? await heard() : undefined;
    const changes = (now: StackFile): StackFileChanges => ({
      ...withGiven(now, given, sealing),
      ...(secrets.changed ? { secrets: secrets.settings } : {}),
    });
    if (here && Object.keys(changes(read)).length > 0) {
      await refuseWrongPassphrase({ manager, crypter });
      file = await saveStackFile(read, changes);
    }
    await manager.fetch?.(secureTexts(file.settings.config));
    const checks = choice.unchecked === true ? 'nothing' : 'everything';
    const sealed = await sealedForStack(ports, project, () => crypter);
    const config = await operationConfig(sealed, stack, file, () => crypter, checks);
    mask.configured(config.program.secretTexts);
    const { program: own } = ports;
    const program = { ...programInfo(project), ...(own && { programDirectory: own.directory }) };
    return {
      ...{ ports, choice, project, backend, url, id },
      ...{ manager, crypter, documents, mask, config, program, client: choice.client },
      digests: backend.bucket && new StackDigests({ bucket: backend.bucket, id, manager, documents }),
      stopGraceMs: graceMs,
    };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** Makes the first stack if none is selected, named or present. */
async function createFirstStack(ports: Ports, choice: PreparedChoice, project: Project): Promise<void> {
  if ((await chosenStack(ports, choice, project)) !== undefined) return;
  const place = await backendChoice(ports, choice, project);
  const backend = await openChosenBackend(ports, choice, place, project);
  const stacks = await stacksOfProject(backend, project.name).finally(() => backend.close());
  if (stacks.length > 0) return;
  const question = { t: 'create-first-stack', project: project.name, stack: FIRST_STACK } as const;
  if (choice.firstStack === 'ask' && !(await ports.interaction.confirm(question))) return;
  const stack = await createStack(ports, FIRST_STACK, { ...choice, select: true });
  ports.interaction.notice({ t: 'stack-created', stack });
}

/**
 * Returns the configuration of the latest operation, in place of that of a file that is elsewhere. Throws CAIRN-USAGE
 * for `--config`, which would be saved there.
 */
async function withLatestConfig(
  { config = [], configFile }: PreparedChoice,
  backend: Backend,
  id: StackId,
  file: StackFile,
): Promise<StackFile> {
  if (config.length > 0)
    throw cairnError(
      'CAIRN-USAGE',
      'cannot save --config in the stack file: the project of the stack is not here',
    );
  if (configFile !== undefined) return file;
  const [latest] = await backend.history(id, { page: 1, size: 1 });
  const values = Object.entries(latest?.config ?? {}).map(
    ([key, value]) => [key, treeOfStored(value)] as const,
  );
  return { ...file, settings: { ...file.settings, config: new Map(values) } };
}

/** Returns the values that `--config key=value` sets. Throws CAIRN-USAGE. */
function givenValues(
  { config: texts = [], configPaths = false }: PreparedChoice,
  project: Project,
): readonly ParsedConfigValue[] {
  return texts.map((given) => {
    const at = given.indexOf('=');
    if (at <= 0) throw cairnError('CAIRN-USAGE', '--config takes key=value');
    const target = configTarget(given.slice(0, at), project, configPaths);
    const secret = isDeclaredSecret(project, target);
    const text = given.slice(at + 1);
    return { target, secret, tree: secret ? text : coerceText(text) };
  });
}

/** Returns the configuration with the values, secret ones sealed; nothing when there are none. */
function withGiven(
  { settings: { config } }: StackFile,
  given: readonly ParsedConfigValue[],
  crypter: Crypter | undefined,
): Pick<StackFileChanges, 'config'> {
  if (given.length === 0) return {};
  const stored = ({ secret, tree }: ParsedConfigValue): ConfigTree =>
    secret && crypter !== undefined ? secureText(String(tree), crypter) : tree;
  return { config: given.reduce((all, each) => setConfig(all, each.target, stored(each)), config) };
}

function checkRequiredVersion(project: Project): void {
  const range = project.requiredPulumiVersion;
  if (range === undefined || semver.satisfies(COMPATIBLE_VERSION, range)) return;
  throw cairnError(
    'CAIRN-PROJECT-INVALID',
    `the project requires version ${range}, but this one is compatible with ${COMPATIBLE_VERSION}`,
    {
      source: { file: project.location.file },
      hint: 'Change requiredPulumiVersion, or use a version that satisfies it.',
    },
  );
}
