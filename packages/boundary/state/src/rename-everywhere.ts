import { renamedReferences, withChangedReferences } from './graph/change-references.js';
import { goJson, isJsonObject } from './go-json.js';
import type { Json, JsonObject } from './go-json.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';
import type { Snippet } from './snippet.js';
import { SIGNATURES, SIGNATURE_KEY } from './signatures.js';

/** A new text for a URN; the same text when it stays. */
export type Rename = (urn: string) => string;

/** The entry with every URN that it is or refers to renamed, its aliases apart. Its values stay. */
export function renameInResource(resource: SerializedResource, rename: Rename): SerializedResource {
  const renamed = withChangedReferences(resource, renamedReferences(resource, rename));
  const urn = rename(resource.urn);
  return urn === resource.urn ? renamed : { ...renamed, urn };
}

/** The snippet with the URNs that it refers to renamed. */
export function renameInSnippet(snippet: Snippet, rename: Rename): Snippet {
  if (snippet.references === undefined) return snippet;
  const references = Object.create(null) as Record<string, string>;
  for (const key of Object.keys(snippet.references))
    references[key] = rename(snippet.references[key] as string);
  return { ...snippet, references };
}

/**
 * The deployment with URNs renamed wherever they stand: entries, what is pending, snippets, and references to resources
 * in values that are not sealed [STORE-12]. `aliases`: whether they are renamed too.
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

/** The entry with the URNs renamed to which resource references in its values lead; what is sealed stays as it is. */
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

/** The same value when nothing in it is renamed. */
function renameValue(value: Json, rename: Rename): Json {
  if (Array.isArray(value)) return renameItems(value as readonly Json[], rename);
  if (!isJsonObject(value)) return value;
  const signature = value[SIGNATURE_KEY];
  if (signature === SIGNATURES.secret) return renameSecret(value, rename);
  let changed = false;
  const renamed = Object.create(null) as Record<string, Json>;
  for (const key of Object.keys(value)) {
    const before = value[key] as Json;
    const after =
      signature === SIGNATURES.reference && key === 'urn' && typeof before === 'string'
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

/** A secret in the clear holds JSON text. */
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
