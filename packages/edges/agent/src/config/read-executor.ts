import path from 'node:path';
import type { MapReader } from '@cairn/workspace';
import type { ClusterSettings, ContainerSettings } from './agent-config.js';
import { oneOf } from './read-words.js';

const COMMAND = /^[A-Za-z0-9][\w.-]*$/;
const IMAGE = /^[A-Za-z0-9][\w./:@-]*$/;
const NETWORK = /^[A-Za-z0-9][\w.-]*$/;
const USER = /^\d+:\d+$/;
const USER_WORDS = 'numbers of a user and a group such as "1000:1000"';

/** Names of objects of a cluster. */
const OBJECT = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** User and group of pods: those of the image of an agent. */
const POD_USER = { uid: 1000, gid: 1000 } as const;

/** Place in which the commands of a stack run. With neither, they are processes of this machine. */
export interface ExecutorSettings {
  readonly container?: ContainerSettings;
  readonly cluster?: ClusterSettings;
}

/** Reads how commands run. Returns undefined if nothing is said about it. */
export function readExecutor(parent: MapReader, base: string): ExecutorSettings | undefined {
  const reader = parent.submap('executor');
  return reader === undefined ? undefined : readExecutorMap(reader, base);
}

/** Reads the settings of an executor. Relative folders are relative to `base`. */
export function readExecutorMap(reader: MapReader, base: string): ExecutorSettings {
  const kind = oneOf(reader, 'kind', ['process', 'container', 'kubernetes'] as const);
  if (kind === undefined && reader.entry('kind') === undefined) reader.problem('kind', 'is missing');
  const settings = {
    ...(kind === 'container' && { container: readContainer(reader, base) }),
    ...(kind === 'kubernetes' && { cluster: readCluster(reader, base) }),
  };
  if (kind !== undefined) reader.refuseOthers();
  return settings;
}

function readCluster(reader: MapReader, base: string): ClusterSettings {
  const image = readImage(reader);
  const kubeconfig = reader.text('kubeconfig');
  const context = reader.text('context');
  if (context !== undefined && kubeconfig === undefined)
    reader.problem('context', 'needs "kubeconfig", the file that has it');
  const namespace = matching(reader, 'namespace', NAMESPACE, 'the name of a namespace');
  const serviceAccount = matching(reader, 'serviceAccount', OBJECT, 'the name of a service account');
  const pullSecret = matching(reader, 'pullSecret', OBJECT, 'the name of a secret');
  const [uid = 0, gid = 0] = (matching(reader, 'user', USER, USER_WORDS) ?? '').split(':').map(Number);
  if (reader.entry('user') !== undefined && uid === 0)
    reader.problem('user', 'must not be 0: pods of runs are not root');
  return {
    image,
    ...(kubeconfig !== undefined && { kubeconfig: path.resolve(base, kubeconfig) }),
    ...(context !== undefined && { context }),
    ...(namespace !== undefined && { namespace }),
    ...(serviceAccount !== undefined && { serviceAccount }),
    ...(pullSecret !== undefined && { pullSecret }),
    user: uid === 0 ? POD_USER : { uid, gid },
  };
}

function readContainer(reader: MapReader, base: string): ContainerSettings {
  const command = reader.text('command') ?? 'docker';
  if (!COMMAND.test(command) && !path.isAbsolute(command))
    reader.problem(
      'command',
      `must be the name or the absolute path of a command, not ${JSON.stringify(command)}`,
    );
  const image = readImage(reader);
  const network = matching(reader, 'network', NETWORK, 'the name of a network');
  const user = matching(reader, 'user', USER, USER_WORDS);
  return {
    command,
    image,
    ...(network !== undefined && { network }),
    ...(user !== undefined && { user }),
    keepsHome: oneOf(reader, 'home', ['fresh', 'kept'] as const) === 'kept',
    mounts: (reader.texts('mounts') ?? []).map((folder) => path.resolve(base, folder)),
  };
}

function readImage(reader: MapReader): string {
  const image = reader.requiredText('image');
  if (image !== '' && !IMAGE.test(image))
    reader.problem('image', `must be the name of an image, not ${JSON.stringify(image)}`);
  return image;
}

function matching(reader: MapReader, key: string, pattern: RegExp, words: string): string | undefined {
  const text = reader.text(key);
  if (text === undefined || pattern.test(text)) return text;
  return reader.problem(key, `must be ${words}, not ${JSON.stringify(text)}`);
}
