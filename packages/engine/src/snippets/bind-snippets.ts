import { isProviderType } from '@cairn/addresses';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { bindSnippet, parseSnippet, pclError, resourceSchema } from '@cairn/pcl';
import type { ResourceSchema, SnippetCode } from '@cairn/pcl';
import type { Snippet } from '@cairn/state';
import { isStatusError } from '@cairn/wire';
import type { SchemaLoader, SchemaRequest } from '@cairn/wire';
import { descriptorOf } from './descriptor.js';
import { OWN_PATHS, SNIPPET_OPTION_NAMES } from './snippet-options.js';

/** A snippet that can be run. */
export interface BoundSnippet {
  readonly snippet: Snippet;
  readonly code: SnippetCode;
  readonly descriptor: SchemaRequest;
  /** The type is a component that its provider makes. */
  readonly remote: boolean;
}

/** Functions that snippets get from the engine. */
export const ENGINE_FUNCTIONS = [
  'cwd',
  'invoke',
  'organization',
  'project',
  'rootDirectory',
  'stack',
] as const;

/** Checks snippets against the schemas of their packages, before anything is run or saved [SNIP-3]. */
export function bindSnippets(
  snippets: readonly Snippet[],
  schemas: SchemaLoader,
): Promise<readonly BoundSnippet[]> {
  return Promise.all(
    snippets.map(async (snippet) => {
      try {
        return await bound(snippet, schemas);
      } catch (thrown) {
        throw cairnError(
          'CAIRN-SNIPPET',
          `bind snippet "${snippet.name}": ${isCairnError(thrown) ? thrown.message : messageOf(thrown)}`,
          { hint: 'Nothing was changed. Correct the code of the snippet.' },
          thrown,
        );
      }
    }),
  );
}

async function bound(snippet: Snippet, schemas: SchemaLoader): Promise<BoundSnippet> {
  const code = parseSnippet(snippet.code, SNIPPET_OPTION_NAMES);
  const descriptor = descriptorOf(snippet);
  const schema = await schemaOf(snippet, descriptor, schemas);
  bindSnippet(code, {
    schema,
    references: new Set(Object.keys(snippet.references ?? {})),
    functions: new Set(ENGINE_FUNCTIONS),
    ownPaths: OWN_PATHS,
  });
  return { snippet, code, descriptor, remote: schema?.isComponent ?? false };
}

/** Undefined: the package has no schema to check against. */
async function schemaOf(
  { type }: Snippet,
  descriptor: SchemaRequest,
  schemas: SchemaLoader,
): Promise<ResourceSchema | undefined> {
  let document: string;
  try {
    document = await schemas.getSchema(descriptor);
  } catch (error) {
    if (isStatusError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
  const found = resourceSchema(document, type);
  if (found === undefined && !isProviderType(type) && hasResources(document))
    throw pclError(`unknown resource type '${type}'`, undefined);
  return found;
}

function hasResources(document: string): boolean {
  return 'resources' in (JSON.parse(document) as object);
}
