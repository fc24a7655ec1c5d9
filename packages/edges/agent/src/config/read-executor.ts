import path from 'node:path';
import type { MapReader } from '@cairn/workspace';
import type { ContainerSettings } from './agent-config.js';
import { oneOf } from './read-words.js';

const COMMAND = /^[A-Za-z0-9][\w.-]*$/;
const IMAGE = /^[A-Za-z0-9][\w./:@-]*$/;
const NETWORK = /^[A-Za-z0-9][\w.-]*$/;
const USER = /^\d+:\d+$/;

/** Way in which the commands of a stack run: in processes of this machine, or in containers. */
export type ExecutorSettings = 'process' | ContainerSettings;

/** Reads how commands run. Returns undefined if nothing is said about it. */
export function readExecutor(parent: MapReader, base: string): ExecutorSettings | undefined {
  const reader = parent.submap('executor');
  if (reader === undefined) return undefined;
  const kind = oneOf(reader, 'kind', ['process', 'container'] as const);
  if (kind === undefined && reader.entry('kind') === undefined) reader.problem('kind', 'is missing');
  const settings = kind === 'container' ? readContainer(reader, base) : 'process';
  if (kind !== undefined) reader.refuseOthers();
  return settings;
}

function readContainer(reader: MapReader, base: string): ContainerSettings {
  const command = reader.text('command') ?? 'docker';
  if (!COMMAND.test(command) && !path.isAbsolute(command))
    reader.problem(
      'command',
      `must be the name or the absolute path of a command, not ${JSON.stringify(command)}`,
    );
  const image = reader.requiredText('image');
  if (image !== '' && !IMAGE.test(image))
    reader.problem('image', `must be the name of an image, not ${JSON.stringify(image)}`);
  const network = matching(reader, 'network', NETWORK, 'the name of a network');
  const user = matching(reader, 'user', USER, 'numbers of a user and a group such as "1000:1000"');
  return {
    command,
    image,
    ...(network !== undefined && { network }),
    ...(user !== undefined && { user }),
    keepsHome: oneOf(reader, 'home', ['fresh', 'kept'] as const) === 'kept',
    mounts: (reader.texts('mounts') ?? []).map((folder) => path.resolve(base, folder)),
  };
}

function matching(reader: MapReader, key: string, pattern: RegExp, words: string): string | undefined {
  const text = reader.text(key);
  if (text === undefined || pattern.test(text)) return text;
  return reader.problem(key, `must be ${words}, not ${JSON.stringify(text)}`);
}
