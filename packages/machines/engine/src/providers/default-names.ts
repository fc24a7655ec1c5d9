import type { PackageRequest } from './package-request.js';

/**
 * Returns the name of the default provider for a request: `default`, with the version's parts and the sanitised
 * download URL appended [PROV-3]. Requests with the same name share one provider.
 */
export function defaultProviderName({ version, downloadUrl }: PackageRequest): string {
  return ['default', ...versionParts(version), ...urlPart(downloadUrl)].join('_');
}

/** Returns major, minor, patch, and every dot-separated piece of pre-release and build. */
function versionParts(version: string): string[] {
  if (version === '') return [];
  const [core = '', build] = splitOnce(version.replace(/^v/, ''), '+');
  const [numbers = '', pre] = splitOnce(core, '-');
  return [numbers, pre, build].flatMap((part) => (part === undefined ? [] : part.split('.')));
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function urlPart(url: string): string[] {
  if (url === '') return [];
  const segments = url.split('/').filter((segment) => segment !== '');
  return [segments.map((segment) => segment.replace(/[^A-Za-z0-9_.-]/g, '_')).join('/')];
}
