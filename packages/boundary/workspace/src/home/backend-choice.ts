import type { Project } from '../project/project.js';
import { envVar } from '../env.js';
import { pulumiLogin, readCredentials } from './credentials.js';
import type { UserContext } from './home.js';
import { defaultBackendUrl } from './home.js';
import { backendAddress, isServiceUrl } from './service-login.js';

/** Sources of the choice of a backend. */
export type BackendOrigin = 'flag' | 'environment' | 'project' | 'login' | 'pulumi-login' | 'default';

/**
 * The backend to use. `createDirectory` is true for the default backend, whose directory is created if missing
 * [CFG-13].
 */
export interface BackendChoice {
  readonly url: string;
  readonly origin: BackendOrigin;
  readonly createDirectory: boolean;
}

/**
 * Chooses the backend in this order: `--backend-url`, `CAIRN_BACKEND_URL` or `PULUMI_BACKEND_URL`, the project's
 * `backend.url`, `CAIRN_DEFAULT_BACKEND_URL`, the login, the login of Pulumi in `~/.pulumi`, the default [CFG-13].
 */
export async function chooseBackend(
  context: UserContext,
  project: Project | undefined,
  flag?: string | undefined,
): Promise<BackendChoice> {
  const stated: readonly (readonly [BackendOrigin, string | undefined])[] = [
    ['flag', flag],
    ['environment', envVar(context.env, 'BACKEND_URL')],
    ['project', project?.backendUrl],
  ];
  for (const [origin, url] of stated)
    if (url !== undefined && url !== '') return { url: backendAddress(url), origin, createDirectory: false };
  const current = context.env['CAIRN_DEFAULT_BACKEND_URL'] || (await readCredentials(context)).current;
  const fallback = defaultBackendUrl(context);
  if (current !== undefined) return { url: current, origin: 'login', createDirectory: current === fallback };
  const pulumi = await pulumiLogin(context);
  if (pulumi !== undefined && !(isServiceUrl(pulumi) && isOwnProject(project)))
    return { url: pulumi, origin: 'pulumi-login', createDirectory: false };
  return { url: fallback, origin: 'default', createDirectory: true };
}

/** True for no project, or for one that Pulumi cannot run: no service has its stacks. */
function isOwnProject(project: Project | undefined): boolean {
  return project?.location.base !== 'Pulumi';
}
