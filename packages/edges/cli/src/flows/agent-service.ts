import { homedir } from 'node:os';
import { RefusedByService, ServiceApi } from '@cairn/agent';
import { cairnError } from '@cairn/diagnostics';
import type { ErrorCode } from '@cairn/diagnostics';
import { envVar, serviceLogin } from '@cairn/workspace';
import type { CommandContext } from '../command-context.js';

/** Stack of a service, as paths name it. */
export interface ServedStack {
  readonly org: string;
  readonly project: string;
  readonly stack: string;
}

/** Service with the organization whose agents are meant. */
export interface AgentService {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly api: ServiceApi;
}

/**
 * Opens a service with the token of the environment or of the login. `org`: organization in place of the default one of
 * the user.
 */
export async function openAgentService(
  context: CommandContext,
  url: string,
  org?: string,
): Promise<AgentService> {
  const { env } = context;
  if (!/^https?:\/\//.test(url))
    throw cairnError('CAIRN-USAGE', `--service takes an http or https address, not ${JSON.stringify(url)}`);
  const login = await serviceLogin({ env, userHome: env['HOME'] ?? homedir() }, url);
  if (login === undefined)
    throw cairnError('CAIRN-STORE-CREDENTIALS', `not logged in to ${url}`, {
      hint: `Run \`cairn login ${url}\`, or set CAIRN_ACCESS_TOKEN.`,
    });
  const token = login.accessToken;
  const named = org ?? envVar(env, 'DEFAULT_ORGANIZATION');
  const asked = { url, token, organization: '' };
  const organization = named || (await defaultOrganization(new ServiceApi(asked)));
  const address = { ...asked, organization };
  return { ...address, api: new ServiceApi(address) };
}

/** Returns the stack that `--stack` names: `PROJECT/STACK`, or `ORGANIZATION/PROJECT/STACK`. */
export function servedStack({ organization }: AgentService, reference: string | undefined): ServedStack {
  const parts = reference?.split('/') ?? [];
  const [stack = '', project = '', org = organization] = [...parts].reverse();
  if (parts.length === 2 || parts.length === 3) return { org, project, stack };
  throw cairnError('CAIRN-USAGE', 'name the stack of the service with --stack', {
    hint: 'Write it as PROJECT/STACK, or ORGANIZATION/PROJECT/STACK.',
  });
}

/** Makes a call, and reports a refusal as an error of the command. */
export async function served<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    if (!(thrown instanceof RefusedByService)) throw thrown;
    const { code, hint } = refusalOf(thrown);
    throw cairnError(code, `cannot ${what}: ${thrown.message}`, { hint });
  }
}

function refusalOf({ status, message }: RefusedByService): {
  readonly code: ErrorCode;
  readonly hint: string;
} {
  if (status === 401)
    return {
      code: 'CAIRN-STORE-CREDENTIALS',
      hint: 'Create an access token at the service, then run `cairn login` with it, or set CAIRN_ACCESS_TOKEN.',
    };
  if (status === 403)
    return { code: 'CAIRN-STORE-DENIED', hint: 'Ask an administrator of the service for the missing role.' };
  if (status === 404)
    return {
      code: message.startsWith("Not Found: Stack '") ? 'CAIRN-STACK-NOT-FOUND' : 'CAIRN-USAGE',
      hint: 'Check the name, and that your user may see it. `cairn agent runs` and `cairn stack ls` list what is there.',
    };
  return { code: 'CAIRN-STORE-DENIED', hint: 'Change what the service refuses, then run the command again.' };
}

async function defaultOrganization(api: ServiceApi): Promise<string> {
  const answer = await served('find the organization', () => api.call('defaultOrganization', {}));
  return (answer as { readonly GitHubLogin: string }).GitHubLogin;
}
