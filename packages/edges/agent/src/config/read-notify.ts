import { networksOf } from '@cairn/http-api/hooks';
import type { MapReader } from '@cairn/workspace';
import { SENT_TYPES } from './agent-config.js';
import type { NoticeTarget, SentType } from './agent-config.js';
import { someOf } from './read-words.js';

const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
/** Name of a person in approvals. */
const PERSON = /^[\w.@:+-]{1,100}$/;
const MAILBOX = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** Reads the targets of notices. */
export function readNotify(reader: MapReader): readonly NoticeTarget[] {
  const named = reader.submap('notify');
  return [...(named?.map.entries.keys() ?? [])].flatMap((name) => {
    const target = named?.submap(name);
    if (target === undefined) return [];
    if (!NAME.test(name)) named?.problem(name, 'must have a name of small letters, digits and "-"');
    return [readTarget(target, name)];
  });
}

function readTarget(reader: MapReader, name: string): NoticeTarget {
  const given = (['webhook', 'slack', 'mail'] as const).filter((key) => reader.entry(key) !== undefined);
  const [kind = 'webhook'] = given;
  if (given.length !== 1) reader.problem('webhook', 'or "slack" or "mail" must be given, one of them');
  const types = someOf<SentType>(reader, 'types', SENT_TYPES);
  const common = { name, address: variableOf(reader, kind) ?? '', ...(types !== undefined && { types }) };
  const target: NoticeTarget =
    kind === 'mail'
      ? { ...common, kind, ...readMail(reader) }
      : { ...common, kind, ...readHook(reader, kind) };
  if (target.links !== undefined && types?.includes('approval-wanted') === false)
    reader.problem('types', 'must have "approval-wanted", because "links" are in these notices');
  reader.refuseOthers();
  return target;
}

/** Reads the name of a variable: addresses often hold a token. */
function variableOf(reader: MapReader, key: string): string | undefined {
  const text = reader.text(key);
  if (text !== undefined && !VARIABLE.test(text))
    reader.problem(
      key,
      'must be the name of a variable with the address',
      'Addresses of webhooks are secrets: put it into the environment of the agent.',
    );
  return text;
}

function readHook(
  reader: MapReader,
  kind: 'webhook' | 'slack',
): { readonly secret?: string; readonly links?: string } {
  // A chat has several readers: an approval of it would count as none of them.
  if (kind === 'slack') return {};
  const secret = variableOf(reader, 'secret');
  const links = personOf(reader, 'links');
  return { ...(secret !== undefined && { secret }), ...(links !== undefined && { links }) };
}

function personOf(reader: MapReader, key: string): string | undefined {
  const text = reader.text(key);
  if (text !== undefined && !PERSON.test(text))
    reader.problem(key, `must be the name of a person, not ${JSON.stringify(text)}`);
  return text;
}

/** Reads the people to whom links are sent, by their address. */
function readMailLinks(
  reader: MapReader,
  recipients: readonly string[],
): { readonly links?: ReadonlyMap<string, string> } {
  const named = reader.submap('links');
  if (named === undefined) return {};
  const links = new Map<string, string>();
  for (const address of named.map.entries.keys()) {
    const person = personOf(named, address);
    if (!recipients.includes(address)) named.problem(address, 'must be one of the recipients');
    if (person !== undefined) links.set(address, person);
  }
  return { links };
}

function readMail(
  reader: MapReader,
): Pick<NoticeTarget & { readonly kind: 'mail' }, 'from' | 'recipients' | 'links'> {
  const from = reader.requiredText('from');
  const recipients = reader.texts('recipients') ?? [];
  if (recipients.length === 0) reader.problem('recipients', 'must have at least one address');
  for (const text of [from, ...recipients])
    if (text !== '' && !MAILBOX.test(text))
      reader.problem(
        text === from ? 'from' : 'recipients',
        `must have addresses such as a@example.com, not ${JSON.stringify(text)}`,
      );
  return { from, recipients, ...readMailLinks(reader, recipients) };
}

/** Reads the networks to which notices may be sent although they are not public. */
export function readNetworks(reader: MapReader): readonly string[] {
  const texts = reader.texts('networks') ?? [];
  return texts.filter((text) => {
    try {
      networksOf([text], () => new Error('no network'));
      return true;
    } catch {
      reader.problem('networks', `must have networks such as 10.0.0.0/8, not ${JSON.stringify(text)}`);
      return false;
    }
  });
}
