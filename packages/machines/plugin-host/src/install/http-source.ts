import { fail } from '@cairn/diagnostics';
import { commandName } from './plugin-identity.js';
import type { PluginReference } from './plugin-identity.js';
import type { Platform } from './platform.js';
import type { PluginSource, SourceContext } from './source-contract.js';

/** Returns the name of the archive of a plugin, wherever it is published. */
export function archiveName(
  plugin: Pick<PluginReference, 'kind' | 'name'>,
  version: string,
  { os, arch }: Platform,
): string {
  return `${commandName(plugin)}-v${version}-${os}-${arch}.tar.gz`;
}

/** Reads the name of an archive. Returns undefined if it has another form. */
export function readArchiveName(file: string): { kind: string; name: string; version: string } | undefined {
  const [, kind, name, version] =
    /^pulumi-([a-z]+)-(.+?)-v(\d[^/]*?)-(?:linux|darwin|windows)-(?:amd64|arm64)\.(?:tar\.gz|tgz)$/.exec(
      file,
    ) ?? [];
  return kind === undefined || name === undefined || version === undefined
    ? undefined
    : { kind, name, version };
}

/**
 * Returns a source in a directory of archives on a web server. `${NAME}`, `${VERSION}`, `${OS}` and `${ARCH}` in its
 * URL are filled in.
 */
export function httpSource(server: string, { plugin, platform, web }: SourceContext): PluginSource {
  return {
    url: server,
    latest: async () =>
      fail('CAIRN-USAGE', `cannot determine the newest version of ${plugin.name} at ${server}`, {
        hint: 'Name the version.',
      }),
    archive: (version, signal) => {
      const places = { NAME: plugin.name, VERSION: version, OS: platform.os, ARCH: platform.arch };
      const directory = Object.entries(places).reduce(
        (url, [place, value]) =>
          url
            .replaceAll(`$%7B${place}%7D`, encodeURIComponent(value))
            .replaceAll(`\${${place}}`, encodeURIComponent(value)),
        server,
      );
      const file = encodeURIComponent(archiveName(plugin, version, platform));
      return web({ url: `${directory.replace(/\/$/, '')}/${file}`, signal });
    },
  };
}
