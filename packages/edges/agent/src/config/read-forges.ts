import type { MapReader } from '@cairn/workspace';
import { oneOf } from './read-words.js';
import { FORGE_KINDS } from './agent-config.js';
import type { ForgeKind, ForgeSettings, PullSettings } from './agent-config.js';

/** Addresses of the APIs of forges that one company runs for all. */
const APIS: Readonly<Record<ForgeKind, string | undefined>> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com/api/v4',
  forgejo: undefined,
};
const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;
const REPOSITORY = /^[\w.-]+(\/[\w.-]+)+$/;

/** Reads the forges of the file. */
export function readForges(reader: MapReader): readonly ForgeSettings[] {
  const named = reader.submap('forges');
  return [...(named?.map.entries.keys() ?? [])].flatMap((name) => {
    const forge = named?.submap(name);
    if (forge === undefined) return [];
    if (!NAME.test(name)) named?.problem(name, 'must have a name of small letters, digits and "-"');
    return [readForge(forge, name)];
  });
}

function readForge(reader: MapReader, name: string): ForgeSettings {
  const kind = oneOf<ForgeKind>(reader, 'kind', FORGE_KINDS);
  if (kind === undefined && reader.entry('kind') === undefined) reader.problem('kind', 'is missing');
  const repository = reader.requiredText('repository');
  if (repository !== '' && (!REPOSITORY.test(repository) || repository.split('/').includes('..')))
    reader.problem('repository', `must be as owner/name, not ${JSON.stringify(repository)}`);
  const api = reader.text('api') ?? APIS[kind ?? 'github'];
  if (api === undefined) reader.problem('api', 'is missing', 'Write it as https://HOST/api/v1.');
  else if (!isApi(api)) reader.problem('api', `must be an https address, not ${JSON.stringify(api)}`);
  const settings = {
    name,
    kind: kind ?? 'github',
    repository,
    api: (api ?? '').replace(/\/+$/, ''),
    token: reader.requiredText('token'),
    secret: reader.requiredText('secret'),
  };
  reader.refuseOthers();
  return settings;
}

/** Accepts https, and http to this machine: the token must not go over a network in the clear. */
function isApi(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  if (username !== '' || search !== '' || hash !== '') return false;
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
  );
}

/** Reads what a stack does about pull requests, and records an unknown forge. */
export function readPulls(stack: MapReader, forges: readonly ForgeSettings[]): PullSettings | undefined {
  const reader = stack.submap('pulls');
  if (reader === undefined) return undefined;
  const forge = reader.requiredText('forge');
  if (forge !== '' && !forges.some(({ name }) => name === forge))
    reader.problem('forge', `names an unknown forge "${forge}"`, 'Describe it under "forges".');
  const settings = { forge, review: reader.flag('review') ?? false };
  reader.refuseOthers();
  return settings;
}
