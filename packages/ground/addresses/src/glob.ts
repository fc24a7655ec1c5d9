/**
 * Returns true if the whole text matches a glob: `*` matches any run of characters except `stop`, `**` any run. Takes
 * time in proportion to the product of both lengths, whatever they contain.
 */
export function matchesGlob(glob: string, text: string, stop?: string): boolean {
  const parts = glob.split(/(\*\*|\*)/).filter((part) => part !== '');
  let ends = new Set([0]);
  for (const part of parts) {
    ends = part.startsWith('*')
      ? afterStar(ends, text, part === '*' ? stop : undefined)
      : afterText(ends, text, part);
    if (ends.size === 0) return false;
  }
  return ends.has(text.length);
}

function afterText(starts: ReadonlySet<number>, text: string, part: string): Set<number> {
  const ends = new Set<number>();
  for (const at of starts) if (text.startsWith(part, at)) ends.add(at + part.length);
  return ends;
}

function afterStar(starts: ReadonlySet<number>, text: string, stop: string | undefined): Set<number> {
  const ends = new Set<number>();
  for (const start of starts) {
    // A later start adds nothing up to where an earlier one has been.
    for (let at = start; at <= text.length && !ends.has(at); at += 1) {
      ends.add(at);
      if (text[at] === stop) break;
    }
  }
  return ends;
}
