import { pathBelow } from '@cairn/http-api/console';

/** Path below which the service is, such as `/cairn`: the script is at `console/assets/` below it. */
export const base = new URL('../..', import.meta.url).pathname.replace(/\/$/, '');

/** Address of the service, for commands. */
export const serviceAddress = location.origin + base;

/** Returns a path of this host as the service sees it. */
export function ownPath(pathname: string): string {
  return pathBelow(base, pathname);
}

/** Returns true for a path of the service, and not of something else on its host. */
export function isOwn(pathname: string): boolean {
  return base === '' || ownPath(pathname) !== pathname;
}
