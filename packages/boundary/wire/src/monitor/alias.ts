import { unreachable } from '@cairn/diagnostics';
import type { AliasRequest } from '../contracts/alias-request.js';
import type { Alias } from '../generated/pulumi/alias.js';

/** Encodes an alias for the wire. */
export function encodeAlias(alias: AliasRequest): Alias {
  switch (alias.kind) {
    case 'urn':
      return { alias: { $case: 'urn', value: alias.urn } };
    case 'spec': {
      const { name, type, stack, project, parent } = alias;
      return {
        alias: { $case: 'spec', value: { name, type, stack, project, parent: encodeParent(parent) } },
      };
    }
    default:
      return unreachable(alias);
  }
}

function encodeParent(parent: Extract<AliasRequest, { kind: 'spec' }>['parent']) {
  switch (parent.kind) {
    case 'same':
      return undefined;
    case 'none':
      return { $case: 'noParent', value: true } as const;
    case 'urn':
      return { $case: 'parentUrn', value: parent.urn } as const;
    default:
      return unreachable(parent);
  }
}

/**
 * Decodes an alias from the wire; undefined if it is empty. `noParent: false` and an empty URN mean the current parent.
 */
export function decodeAlias({ alias }: Alias): AliasRequest | undefined {
  if (alias === undefined) return undefined;
  if (alias.$case === 'urn') return { kind: 'urn', urn: alias.value };
  const { name, type, stack, project, parent } = alias.value;
  const base = { kind: 'spec', name, type, stack, project } as const;
  if (parent === undefined || parent.value === '' || parent.value === false)
    return { ...base, parent: { kind: 'same' } };
  if (parent.$case === 'noParent') return { ...base, parent: { kind: 'none' } };
  return { ...base, parent: { kind: 'urn', urn: parent.value } };
}

/**
 * Decodes an alias of a Node SDK that does not declare specified aliases. There an empty or missing parent means no
 * parent, and `noParent` the current one.
 */
export function decodeNodeAlias(wire: Alias): AliasRequest | undefined {
  if (wire.alias?.$case !== 'spec') return decodeAlias(wire);
  const { parent } = wire.alias.value;
  if (parent?.$case === 'parentUrn' && parent.value !== '') return decodeAlias(wire);
  const meant = parent?.$case === 'noParent' ? undefined : ({ $case: 'noParent', value: true } as const);
  return decodeAlias({ alias: { $case: 'spec', value: { ...wire.alias.value, parent: meant } } });
}
