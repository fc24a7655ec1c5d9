import { parseNoticeDuration } from '@cairn/changes-daemon';
import type { MapReader } from '@cairn/workspace';
import type { LinkSettings, NoticeTarget } from './agent-config.js';

const DAY = 24 * 3_600_000;
/** Longest time for which a link is valid. */
const LONGEST = 7 * DAY;

/** Reads the settings of approval links, and records targets that want some without them. */
export function readLinks(reader: MapReader, targets: readonly NoticeTarget[]): LinkSettings | undefined {
  const links = reader.submap('links');
  if (links === undefined) {
    if (targets.some((target) => target.links !== undefined))
      reader.problem(
        'notify',
        'has targets with links, and the file has no "links"',
        'Write links: { address: … }.',
      );
    return undefined;
  }
  const address = links.requiredText('address');
  if (address !== '' && !isLinkAddress(address))
    links.problem('address', `must be an https address, not ${JSON.stringify(address)}`);
  const text = links.text('valid');
  const validMs = text === undefined ? DAY : (parseNoticeDuration(text) ?? 0);
  if (validMs < 60_000 || validMs > LONGEST)
    links.problem('valid', `must be a duration from 1m to 168h, not ${JSON.stringify(text)}`);
  links.refuseOthers();
  return { address: address.replace(/\/+$/, ''), validMs };
}

/** Tells if links may lead there: over TLS, or to this machine. */
function isLinkAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return (
    (protocol === 'https:' || (protocol === 'http:' && isHere)) && username + password + search + hash === ''
  );
}
