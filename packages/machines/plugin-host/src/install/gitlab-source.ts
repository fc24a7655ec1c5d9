import { fail } from '@cairn/diagnostics';
import { archiveName } from './http-source.js';
import { readVersion } from './plugin-identity.js';
import type { PluginSource, SourceContext } from './source-contract.js';
import { authorizationFor } from './token-hosts.js';

/**
 * Returns a source of releases of a project on a GitLab. `GITLAB_TOKEN` authorises where it belongs ({@link
 * authorizationFor}).
 */
export function gitlabSource(url: URL, { plugin, platform, web, environment }: SourceContext): PluginSource {
  const project = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  if (url.host === '' || project === '' || project.includes('/'))
    fail('CAIRN-USAGE', `${url.href} does not name a GitLab project`, {
      hint: 'Write gitlab://HOST/PROJECT.',
    });
  const releases = `https://${url.host}/api/v4/projects/${project}/releases`;
  const authorization = authorizationFor('gitlab', releases, environment);
  return {
    url: `gitlab://${url.host}/${project}`,
    latest: async () => {
      const at = `${releases}/permalink/latest`;
      const answer = await web({ url: at, accept: 'application/json', authorization });
      return releasedVersion((await answer.json()) as Release, at);
    },
    archive: (version, signal) =>
      web({
        url: `${releases}/v${version}/downloads/${archiveName(plugin, version, platform)}`,
        accept: 'application/octet-stream',
        authorization,
        signal,
      }),
  };
}

/** Release as an API describes it. */
export interface Release {
  readonly tag_name?: string;
  readonly assets?: readonly { readonly name?: string; readonly url?: string }[];
}

/** Returns the version of a release, from its tag. */
export function releasedVersion(release: Release, at: string): string {
  const tag = String(release.tag_name ?? '');
  return (
    readVersion(tag) ??
    fail('CAIRN-PLUGIN-INSTALL', `the newest release at ${at} has no version`, {
      causes: [`its tag is ${JSON.stringify(tag)}`],
      hint: 'Name the version.',
    })
  );
}
