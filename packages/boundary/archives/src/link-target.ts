/** Number of links to follow before a path counts as a circle, as on Linux. */
const MOST_FOLLOWED = 40;

/**
 * Returns the path to which a symbolic link leads, in parts below the folder of the archive. Follows all of `links` as
 * the operating system does; they are the texts of the archive's links, by the path of the link, with parts joined by
 * `/`. Returns `undefined` if the path leaves the folder at any point, is absolute, or goes in a circle.
 */
export function linkTarget(path: string, links: ReadonlyMap<string, string>): readonly string[] | undefined {
  let pending = path.split('/');
  const resolved: string[] = [];
  let followed = 0;
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (resolved.pop() === undefined) return undefined;
      continue;
    }
    const text = links.get([...resolved, part].join('/'));
    if (text === undefined) {
      resolved.push(part);
      continue;
    }
    followed += 1;
    if (followed > MOST_FOLLOWED || isAbsolute(text)) return undefined;
    pending = [...text.split(/[/\\]/), ...pending];
  }
  return resolved;
}

/** True if the text of a link is an absolute path, on any operating system. */
function isAbsolute(text: string): boolean {
  return /^(?:[/\\]|[a-z]:)/i.test(text);
}
