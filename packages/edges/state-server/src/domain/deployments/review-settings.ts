import type { SealedSettings } from './deployment.js';

/** Members of `cairn` that a review stack does not have: its commits and its end come from its pull request. */
const LEFT_OUT: ReadonlySet<string> = new Set(['onCommit', 'after']);

/** Returns the name of the review stack of a pull request, which is named as `hub/12`. */
export function reviewStackName(stack: string, pull: string): string {
  return `${stack}-pr-${pull.slice(pull.indexOf('/') + 1)}`;
}

/** Returns the settings of a review stack: those of the stack that it copies, without what commits ask for. */
export function reviewSettings({ gitHub: _gitHub, cairn, ...settings }: SealedSettings): SealedSettings {
  if (typeof cairn !== 'object' || cairn === null) return settings;
  const own = Object.entries(cairn).filter(([name]) => !LEFT_OUT.has(name));
  return { ...settings, cairn: Object.fromEntries(own) };
}
