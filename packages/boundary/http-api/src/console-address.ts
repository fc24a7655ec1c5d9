/** Stack of a page of the console. */
interface ConsoleStackName {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
}

/** Page of a stack in the console, by its path below that of the stack. */
export type ConsolePage =
  | (
      | ''
      | 'resources'
      | 'graph'
      | 'changes'
      | 'previews'
      | 'runs'
      | 'drift'
      | 'history'
      | 'doubts'
      | 'settings'
    )
  | (`changes/${number}` | `previews/${string}` | `runs/${number}` | `updates/${number}`);

/** Returns the path of a page of a stack in the console. Defaults to the first page. */
export function consolePath(
  { organization, project, stack }: ConsoleStackName,
  page: ConsolePage = '',
): string {
  const base = `/s/${[organization, project, stack].map(encodeURIComponent).join('/')}`;
  return page === '' ? base : `${base}/${page}`;
}

/** Returns the address of a page of a stack in the console of a service. It is the same wherever it is shown. */
export function consoleAddress(url: string, name: ConsoleStackName, page: ConsolePage = ''): string {
  return url.replace(/\/+$/, '') + consolePath(name, page);
}

/** Returns the path below which a service is: `/cairn`, or an empty text for one that has its host for itself. */
export function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '');
}

/** Returns a path without the base of its service, if it begins with that. A proxy may have removed it already. */
export function pathBelow(base: string, path: string): string {
  if (base === '' || (path !== base && !path.startsWith(`${base}/`))) return path;
  return path.slice(base.length) || '/';
}
