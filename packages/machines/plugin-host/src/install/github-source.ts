import { fail } from '@cairn/diagnostics';
import { releasedVersion } from './gitlab-source.js';
import type { Release } from './gitlab-source.js';
import { archiveName } from './http-source.js';
import type { PluginSource, SourceContext } from './source-contract.js';
import { authorizationFor } from './token-hosts.js';
import { WebFailure } from './web-client.js';
import type { WebRequest } from './web-client.js';

const USUAL = 'github://api.github.com/pulumi';
const FALLBACK = 'https://get.pulumi.com/releases/plugins';

/**
 * Returns a source of releases of a repository on a GitHub. `GITHUB_TOKEN` authorises where it belongs ({@link
 * authorizationFor}). A token that is refused is left out.
 */
export function githubSource(url: URL, context: SourceContext): PluginSource {
  const { plugin, platform, web, environment } = context;
  const [owner = '', named, ...rest] = url.pathname.split('/').filter((part) => part !== '');
  if (url.host === '' || owner === '' || rest.length > 0)
    fail('CAIRN-USAGE', `${url.href} does not name a GitHub repository`, {
      hint: 'Write github://HOST/OWNER or github://HOST/OWNER/REPOSITORY.',
    });
  const repository = named ?? repositoryOf(plugin);
  const releases = `https://${url.host}/repos/${owner}/${repository}/releases`;
  const ask = authorised(web, environment);
  const release = async (at: string) =>
    (await (await ask({ url: at, accept: 'application/json' })).json()) as Release;
  const asset = async (version: string): Promise<string> => {
    const at = `${releases}/tags/v${version}`;
    const name = archiveName(plugin, version, platform);
    const { assets = [] } = await release(at);
    return (
      assets.find((entry) => entry.name === name)?.url ??
      fail('CAIRN-PLUGIN-INSTALL', `plugin asset '${name}' not found`, {
        causes: [`the release at ${at} has ${assets.map((entry) => entry.name).join(', ') || 'no files'}`],
        hint: 'Name another version, or another place with --server.',
      })
    );
  };
  return {
    url: `github://${url.host}/${owner}/${repository}`,
    latest: async () => releasedVersion(await release(`${releases}/latest`), `${releases}/latest`),
    archive: async (version, signal) => {
      const accept = 'application/octet-stream';
      if (owner === 'pulumi' && url.host === 'api.github.com') {
        // Its files have known addresses, which the limit on API requests does not cover.
        const name = archiveName(plugin, version, platform);
        const direct = `https://github.com/${owner}/${repository}/releases/download/v${version}/${name}`;
        const response = await web({ url: direct, accept, signal }).catch(() => undefined);
        if (response !== undefined) return response;
      }
      return ask({ url: await asset(version), accept, signal });
    },
  };
}

/** Returns a source at the usual place of plugins, with a fallback for archives that it does not have. */
export function defaultSource(context: SourceContext, fallback: (url: string) => PluginSource): PluginSource {
  const usual = githubSource(new URL(USUAL), context);
  return {
    url: usual.url,
    latest: () => usual.latest(),
    archive: async (version, signal) => {
      try {
        return await usual.archive(version, signal);
      } catch (first) {
        return await fallback(FALLBACK)
          .archive(version, signal)
          .catch((second: unknown) => {
            throw second instanceof WebFailure && second.status === undefined ? first : second;
          });
      }
    },
  };
}

function repositoryOf({ kind, name }: SourceContext['plugin']): string {
  if (kind === 'converter')
    return ['yaml', 'hcl'].includes(name) ? `pulumi-${name}` : `pulumi-converter-${name}`;
  if (kind === 'tool') return name.startsWith('pulumi-tool-') ? name : `pulumi-tool-${name}`;
  return `pulumi-${name}`;
}

function authorised(
  web: SourceContext['web'],
  environment: SourceContext['environment'],
): SourceContext['web'] {
  let refused = false;
  return async (request: WebRequest) => {
    const authorization = refused ? undefined : authorizationFor('github', request.url, environment);
    try {
      return await web({ ...request, authorization });
    } catch (error) {
      if (!(error instanceof WebFailure)) throw error;
      const exhausted = error.status === 403 && error.headers?.get('x-ratelimit-remaining') === '0';
      if (exhausted)
        return fail('CAIRN-PLUGIN-INSTALL', 'GitHub refuses further requests for now', {
          causes: [error.message],
          hint:
            authorization === undefined
              ? 'Set GITHUB_TOKEN to ask as its user, or wait.'
              : 'Wait until the limit of your GITHUB_TOKEN is renewed.',
        });
      if ((error.status !== 401 && error.status !== 403) || authorization === undefined) throw error;
      refused = true;
      return web(request);
    }
  };
}
