/** Address that a page can open, and its host, which the link names. */
export interface WebLink {
  readonly href: string;
  readonly host: string;
}

/** Links beside one text, and the length of an address, at most. */
const MOST = 5;
const LONGEST = 2000;

/** Addresses in a text: as they are, and in the escape sequences of terminals (OSC 8). */
const ADDRESS = /https:\/\/[^\s"'<>`\\\u0000-\u001f\u007f]+/gi;
/** Signs of the sentence around an address. */
const END = /[.,;:!?)\]}]+$/;

/** Returns the link of a text that is an address, or undefined. Only `https:` without a user is one. */
export function webLink(text: string): WebLink | undefined {
  if (text.length > LONGEST || !/^https:\/\/\S+$/i.test(text)) return undefined;
  const address = parsedAddress(text);
  if (address === undefined || address.username !== '' || address.password !== '') return undefined;
  const { href, host } = address;
  return { href, host };
}

/** Returns the links in a text of a program or a provider, each once. */
export function webLinks(text: string): readonly WebLink[] {
  const found = new Map<string, WebLink>();
  for (const [address] of text.matchAll(ADDRESS)) {
    if (found.size === MOST) break;
    const link = webLink(address.replace(END, ''));
    if (link !== undefined) found.set(link.href, link);
  }
  return [...found.values()];
}

function parsedAddress(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
