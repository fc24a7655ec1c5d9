/**
 * Returns true if a pattern matches a whole text. `*` in the pattern is any text, also none; every other character is
 * itself. Takes time in proportion to the product of both lengths at most, whatever the pattern.
 */
export function matchesText(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length)
    if (pattern[place] === '*') {
      star = place;
      place += 1;
      resume = at;
    } else if (pattern[place] === text[at]) {
      place += 1;
      at += 1;
    } else if (star >= 0) {
      place = star + 1;
      resume += 1;
      at = resume;
    } else return false;
  while (pattern[place] === '*') place += 1;
  return place === pattern.length;
}

/**
 * Returns true if a pattern matches a stack. A pattern is `PROJECT/STACK`, or `PROJECT` for all stacks of a project;
 * `*` matches within one of the two names.
 */
export function matchesStack(pattern: string, { project, stack }: NamesOfStack): boolean {
  const [projects = '', stacks = '*', more] = pattern.split('/');
  return more === undefined && matchesText(projects, project) && matchesText(stacks, stack);
}

interface NamesOfStack {
  readonly project: string;
  readonly stack: string;
}
