import { inputsOf, namesIn } from '@cairn/pcl';
import type { Expression, Scope } from '@cairn/pcl';
import { isSecret } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import { noRequestOptions } from '@cairn/wire';
import type { PackageSelector, RegisterResourceRequest } from '@cairn/wire';
import type { BoundSnippet } from './bind-snippets.js';
import type { KnownResource } from './known-resources.js';
import { SnippetResourceOptions } from './snippet-options.js';

/** Parts that turn a snippet's code into a request. */
interface RequestParts {
  readonly bound: BoundSnippet;
  readonly name: string;
  readonly scope: Scope;
  /** Resources by local name. */
  readonly references: ReadonlyMap<string, KnownResource>;
  readonly package: PackageSelector;
}

/** Returns the registration that a snippet represents, as an SDK would send it [SNIP-1]. */
export async function registrationRequest(parts: RequestParts): Promise<RegisterResourceRequest> {
  const { bound, name, scope, references } = parts;
  const { snippet, code, remote } = bound;
  const said = new SnippetResourceOptions(code.options, scope, references);
  const used = new Map(
    [...code.attributes.values()].map(({ name: key, value }) => [key, urnsIn(value, references)] as const),
  );
  const dependencies = new Set([...said.urns('dependsOn'), ...[...used.values()].flat()]);
  return {
    ...noRequestOptions,
    type: snippet.type,
    name,
    parent: said.urn('parent'),
    custom: !remote,
    remote,
    inputs: await inputsOf(code, scope),
    ...(await said.all()),
    dependencies: [...dependencies],
    propertyDependencies: Object.fromEntries(used),
    package: {
      ...parts.package,
      version: (await said.given('version')) ?? parts.package.version,
      pluginDownloadUrl: (await said.given('pluginDownloadURL')) ?? parts.package.pluginDownloadUrl,
    },
    sourcePosition: undefined,
    stackTrace: [],
    accepts: {
      secrets: true,
      resources: true,
      partialValues: true,
      resultReporting: true,
      byteStrings: true,
    },
    aliasSpecs: true,
    snippetId: snippet.uuid,
  };
}

function urnsIn(value: Expression, references: ReadonlyMap<string, KnownResource>): readonly string[] {
  const urns = namesIn(value).flatMap(({ name }) => references.get(name)?.urn ?? []);
  return [...new Set(urns)];
}

/** Returns the text of a function's argument, or `undefined` if it is not a text. */
export function plainText(value: PropertyValue | undefined): string | undefined {
  const bare = isSecret(value) ? value.value : value;
  return typeof bare === 'string' ? bare : undefined;
}
