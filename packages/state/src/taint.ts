import { CairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { isUrn } from '@cairn/addresses';
import type { SerializedDeployment, SerializedResource } from './serialized.js';

/** The deployment with marks set or taken away, and the URNs whose entries this has changed, in their order. */
export interface TaintEdit {
  readonly deployment: SerializedDeployment;
  readonly changed: readonly string[];
}

/**
 * Marks live entries as tainted, so that the next update replaces them, or takes the mark away (engine-behaviours-2.md A15).
 * `urns` undefined: all of them. Pending deletes are left alone. Throws one CAIRN-STATE-RESOURCE for every URN that no live
 * entry has; nothing is marked then. Needs no passphrase.
 */
export function editTaint(
  deployment: SerializedDeployment,
  urns: readonly string[] | undefined,
  taint: boolean,
): TaintEdit {
  const live = new Set(deployment.resources.filter((each) => each.delete !== true).map(({ urn }) => urn));
  const unknown = (urns ?? []).filter((urn) => !live.has(urn)).map(unknownUrn);
  if (unknown.length > 0) throw new CairnError(unknown);
  const wanted = urns === undefined ? live : new Set(urns);
  const changed: string[] = [];
  const resources = deployment.resources.map((resource) => {
    const { urn } = resource;
    if (resource.delete === true || !wanted.has(urn) || (resource.taint === true) === taint) return resource;
    changed.push(urn);
    return withTaint(resource, taint);
  });
  return { deployment: { ...deployment, resources }, changed };
}

function withTaint(resource: SerializedResource, taint: boolean): SerializedResource {
  if (taint) return { ...resource, taint };
  const { taint: _gone, ...rest } = resource;
  return rest;
}

function unknownUrn(urn: string): Diagnostic {
  return errorDiagnostic(
    'CAIRN-STATE-RESOURCE',
    `no such resource ${JSON.stringify(urn)} exists in the current state`,
    {
      hint: isUrn(urn)
        ? 'List the URNs of the stack: cairn stack --show-urns'
        : 'Give the whole URN, in quotes: cairn stack --show-urns lists them.',
    },
  );
}
