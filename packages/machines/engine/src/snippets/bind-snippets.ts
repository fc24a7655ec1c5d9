import { isProviderType } from '@cairn/addresses';
import { cairnError, isCairnError, messageOf } from '@cairn/diagnostics';
import { bindSnippet, parseSnippet, pclError, resourceSchema } from '@cairn/pcl';
import type { ResourceSchema, SnippetCode } from '@cairn/pcl';
import type { Snippet } from '@cairn/state';
import { isStatusError } from '@cairn/wire';
import type { DerivedPackage, SchemaLoader, SchemaRequest } from '@cairn/wire';
import { OWN_PATHS, SNIPPET_OPTION_NAMES } from './snippet-options.js';

/** A snippet that is ready to run. */
export interface BoundSnippet {
  readonly snippet: Snippet;
  readonly code: SnippetCode;
  readonly descriptor: SchemaRequest;
  /** True if the type is a component that its provider makes. */
  readonly remote: boolean;
}

/** Functions that the engine supplies to snippets. */
const ENGINE_FUNCTIONS = ['cwd', 'invoke', 'organization', 'project', 'rootDirectory', 'stack'] as const;

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

/** Returns the schema of the snippet's type, or `undefined` if the package has no schema to check against. */
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

/** Returns the package that a snippet's resource comes from [STATE-4]. Throws a CairnError if it cannot be read. */
function descriptorOf({ descriptor }: Snippet): SchemaRequest {
  if (typeof descriptor !== 'object' || descriptor === null || Array.isArray(descriptor))
    throw pclError('the descriptor of the package is not an object', undefined);
  const fields = descriptor as Readonly<Record<string, unknown>>;
  return {
    package: text(fields['name']),
    version: text(fields['version']),
    downloadUrl: text(fields['downloadURL']),
    parameterization: parametersOf(fields['parameterization']),
  };
}

function parametersOf(value: unknown): DerivedPackage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  return {
    name: text(fields['name']),
    version: text(fields['version']),
    value: Buffer.from(text(fields['value']), 'base64'),
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
