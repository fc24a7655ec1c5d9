/** A repository at a host. */
interface HostedRepository {
  readonly owner: string;
  /** Path after the owner, including parts such as the groups of GitLab. */
  readonly repository: string;
  readonly host: string;
}

/**
 * Returns the repository that the address of a git remote names, or `undefined` for a path or without an owner. Azure's
 * addresses all get the present form, `OWNER/PROJECT/_git/REPOSITORY` at `dev.azure.com`. Logins are left out.
 */
export function hostedRepository(address: string): HostedRepository | undefined {
  const place = placeOf(address);
  if (place === undefined) return undefined;
  const path = place.path.replace(/^\/+/, '').replace(/\.git$/, '');
  const legacy = /^([\w-]+)\.visualstudio\.com$/.exec(place.host)?.[1];
  if (legacy !== undefined) return path === '' ? undefined : { owner: legacy, repository: path, host: AZURE };
  const [owner = '', ...rest] = path.split('/');
  if (owner === '' || rest.length === 0 || rest.includes('')) return undefined;
  const inProject = place.host === AZURE && rest.length > 1 && !rest.includes('_git');
  const names = inProject ? [rest[0] ?? '', '_git', ...rest.slice(1)] : rest;
  return { owner, repository: names.join('/'), host: place.host };
}

const AZURE = 'dev.azure.com';

/** Returns host and path of `https://host/path` and `git@host:path`. */
function placeOf(address: string): { readonly host: string; readonly path: string } | undefined {
  const [, scp, behind = ''] = /^git@([A-Za-z0-9.-]+):(?!\/)(.*)$/.exec(address) ?? [];
  if (scp !== undefined) {
    const host = scp === `ssh.${AZURE}` ? AZURE : scp;
    return { host, path: host === AZURE ? behind.replace(/^v\d\//, '') : behind };
  }
  if (!/^(?:https?|ssh):\/\//.test(address) || !URL.canParse(address)) return undefined;
  const { host, pathname } = new URL(address);
  return { host, path: pathname };
}
