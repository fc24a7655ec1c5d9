import { renamedReferences, withChangedReferences } from './change-references.js';
import { goJson, isJsonObject } from '../values/go-json.js';
import type { Json, JsonObject } from '../values/go-json.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import type { Snippet } from '../document/snippet.js';
import { STATE_SIGNATURES, SIGNATURE_KEY } from '../values/signatures.js';

/** Returns a new text for a URN, or the same text to keep it. */
export type Rename = (urn: string) => string;

/** Renames the entry's URN and every URN that it refers to, except its aliases. Its values remain. */
export function renameInResource(resource: SerializedResource, rename: Rename): SerializedResource {
  const renamed = withChangedReferences(resource, renamedReferences(resource, rename));
  const urn = rename(resource.urn);
  return urn === resource.urn ? renamed : { ...renamed, urn };
}

/** Renames the URNs that a snippet refers to. */
export function renameInSnippet(snippet: Snippet, rename: Rename): Snippet {
  if (snippet.references === undefined) return snippet;
  const references = Object.create(null) as Record<string, string>;
  for (const key of Object.keys(snippet.references))
    references[key] = rename(snippet.references[key] as string);
  return { ...snippet, references };
}

/**
 * Renames URNs everywhere in a deployment: in entries, pending operations, snippets, and references to resources in
 * values that are not sealed [STORE-12]. `aliases` decides whether aliases are renamed too.
 */
export function renameEverywhere(
  deployment: SerializedDeployment,
  rename: Rename,
  { aliases }: { readonly aliases: boolean },
): SerializedDeployment {
  const whole = (resource: SerializedResource): SerializedResource => {
    const renamed = renameInValues(renameInResource(resource, rename), rename);
    return aliases && renamed.aliases !== undefined
      ? { ...renamed, aliases: renamed.aliases.map(rename) }
      : renamed;
  };
  return {
    ...deployment,
    resources: deployment.resources.map(whole),
    pendingOperations: deployment.pendingOperations.map((operation) => ({
      ...operation,
      resource: whole(operation.resource),
    })),
    snippets: deployment.snippets.map((snippet) => renameInSnippet(snippet, rename)),
  };
}

/** Renames the URNs of resource references in the entry's values; sealed values remain as they are. */
export function renameInValues(resource: SerializedResource, rename: Rename): SerializedResource {
  const { inputs, outputs, replacementTrigger } = resource;
  return {
    ...resource,
    ...(inputs === undefined ? {} : { inputs: renameValue(inputs, rename) as JsonObject }),
    ...(outputs === undefined ? {} : { outputs: renameValue(outputs, rename) as JsonObject }),
    ...(replacementTrigger === undefined
      ? {}
      : { replacementTrigger: renameValue(replacementTrigger, rename) }),
  };
}

/** Renames URNs in a value. Returns the same value if nothing changes. */
function renameValue(value: Json, rename: Rename): Json {
  if (Array.isArray(value)) return renameItems(value as readonly Json[], rename);
  if (!isJsonObject(value)) return value;
  const signature = value[SIGNATURE_KEY];
  if (signature === STATE_SIGNATURES.secret) return renameSecret(value, rename);
  let changed = false;
  const renamed = Object.create(null) as Record<string, Json>;
  for (const key of Object.keys(value)) {
    const before = value[key] as Json;
    const after =
      signature === STATE_SIGNATURES.reference && key === 'urn' && typeof before === 'string'
        ? rename(before)
        : renameValue(before, rename);
    changed ||= after !== before;
    renamed[key] = after;
  }
  return changed ? renamed : value;
}

function renameItems(items: readonly Json[], rename: Rename): Json {
  const renamed = items.map((item) => renameValue(item, rename));
  return renamed.some((item, index) => item !== items[index]) ? renamed : (items as Json);
}

/** Renames URNs in a secret. A secret in the clear contains JSON text. */
function renameSecret(secret: JsonObject, rename: Rename): Json {
  const { plaintext } = secret;
  if (typeof plaintext !== 'string') return secret;
  let inner: Json;
  try {
    inner = JSON.parse(plaintext) as Json;
  } catch {
    return secret;
  }
  const renamed = renameValue(inner, rename);
  return renamed === inner ? secret : { ...secret, plaintext: goJson(renamed, { escapeHtml: true }) };
}
