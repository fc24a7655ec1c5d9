import { fail } from '@cairn/diagnostics';
import { defaultSource, githubSource } from './github-source.js';
import { gitlabSource } from './gitlab-source.js';
import { httpSource } from './http-source.js';
import type { PluginSource, SourceContext } from './source-contract.js';

/**
 * Returns the source that a URL names: `http(s)://` for a directory of archives, `github://HOST/OWNER[/REPOSITORY]` and
 * `gitlab://HOST/PROJECT` for releases. `server` is undefined for the usual one. A rule of
 * `CAIRN_PLUGIN_DOWNLOAD_URL_OVERRIDES` (or `PULUMI_…`) may replace it by another [PLUG-11].
 */
export function sourceAt(server: string | undefined, context: SourceContext): PluginSource {
  const plain = sourceOf(server, context);
  const other = overridden(plain.url, context.environment);
  return other === undefined ? plain : sourceOf(other, context);
}

function sourceOf(server: string | undefined, context: SourceContext): PluginSource {
  if (server === undefined || server === '')
    return defaultSource(context, (url) => {
      const other = overridden(url, context.environment);
      return other === undefined ? httpSource(url, context) : sourceOf(other, context);
    });
  const url = URL.canParse(server) ? new URL(server) : undefined;
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return httpSource(server, context);
    case 'github:':
      return githubSource(url, context);
    case 'gitlab:':
      return gitlabSource(url, context);
    default:
      return fail('CAIRN-USAGE', `plugins cannot be downloaded from ${server}`, {
        hint: 'Name an https:// or http:// URL, github://HOST/OWNER[/REPOSITORY], gitlab://HOST/PROJECT, or npm:PACKAGE.',
      });
  }
}

/** Returns the replacement by the first rule that matches a URL, or undefined if none does. */
function overridden(url: string, environment: SourceContext['environment']): string | undefined {
  const name = 'PLUGIN_DOWNLOAD_URL_OVERRIDES';
  const rules = environment[`CAIRN_${name}`] ?? environment[`PULUMI_${name}`] ?? '';
  for (const rule of rules.split(',').filter((text) => text !== '')) {
    const [pattern = '', target = '', ...rest] = rule.split('=');
    if (pattern === '' || target === '' || rest.length > 0) return badRule(rules);
    const match = patternOf(pattern, rules).exec(url);
    if (match !== null) return filledIn(target, match);
  }
  return undefined;
}

/** Reads a pattern. Authors of shared rules write named groups as `(?P<name>…)`. */
function patternOf(pattern: string, rules: string): RegExp {
  try {
    return new RegExp(pattern.replaceAll('(?P<', '(?<'));
  } catch {
    return badRule(rules);
  }
}

function filledIn(target: string, match: RegExpExecArray): string {
  const named = Object.entries(match.groups ?? {}).map(([name, text]) => [`\${${name}}`, text] as const);
  const numbered = [...match].map((text, index) => [`$${index}`, text] as const);
  return [...named, ...numbered].reduce(
    (text, [place, value]) => text.replaceAll(place, value ?? ''),
    target,
  );
}

function badRule(rules: string): never {
  return fail('CAIRN-USAGE', `cannot read ${JSON.stringify(rules)} as rules for download URLs`, {
    hint: 'Write CAIRN_PLUGIN_DOWNLOAD_URL_OVERRIDES (or PULUMI_…) as PATTERN=URL,PATTERN=URL.',
  });
}
