import { networksOf } from '@cairn/http-api/hooks';
import type { MapReader } from '@cairn/workspace';
import { SENT_TYPES } from './agent-config.js';
import type { NoticeTarget, SentType } from './agent-config.js';
import { someOf } from './read-words.js';

const NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
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
  const target =
    kind === 'mail'
      ? { ...common, kind, ...readMail(reader) }
      : { ...common, kind, ...readHook(reader, kind) };
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

function readHook(reader: MapReader, kind: 'webhook' | 'slack'): { readonly secret?: string } {
  const secret = kind === 'webhook' ? variableOf(reader, 'secret') : undefined;
  return secret === undefined ? {} : { secret };
}

function readMail(reader: MapReader): { readonly from: string; readonly recipients: readonly string[] } {
  const from = reader.requiredText('from');
  const recipients = reader.texts('recipients') ?? [];
  if (recipients.length === 0) reader.problem('recipients', 'must have at least one address');
  for (const text of [from, ...recipients])
    if (text !== '' && !MAILBOX.test(text))
      reader.problem(
        text === from ? 'from' : 'recipients',
        `must have addresses such as a@example.com, not ${JSON.stringify(text)}`,
      );
  return { from, recipients };
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
