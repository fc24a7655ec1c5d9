import { PERMISSIONS } from '@cairn/http-api';
import type { Permission } from '@cairn/http-api';
import { Refusal } from './refusal.js';

/** Role that an organization has made. */
export interface CustomRole {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Purpose and kind of resource as their clients say them. */
  readonly uxPurpose: string;
  readonly resourceType: string;
  /** Tree of permissions, as its client has sent it; see {@link permissionsIn}. */
  readonly details: unknown;
  /** Permissions that the details give. */
  readonly permissions: readonly string[];
  /** Grows with each change. */
  readonly version: number;
  /** In seconds since 1970. */
  readonly created: number;
  readonly modified: number;
}

/** Levels of groups in groups. */
const DEEPEST = 20;

/**
 * Returns the permissions that the details of a role give: a list of permissions, or a group of such lists. Refuses
 * other details (400): a condition that was left out would give too much.
 */
export function permissionsIn(details: unknown, depth = 0): ReadonlySet<Permission> {
  if (depth > DEEPEST) throw new Refusal(400, `details: more than ${DEEPEST} groups are in each other`);
  const { __type: kind, permissions, entries } = (details ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === 'PermissionDescriptorAllow' && Array.isArray(permissions))
    return new Set(permissions.map(permissionOf));
  if (kind === 'PermissionDescriptorGroup' && Array.isArray(entries))
    return new Set(entries.flatMap((entry) => [...permissionsIn(entry, depth + 1)]));
  throw new Refusal(
    400,
    'details: is no PermissionDescriptorAllow with permissions and no PermissionDescriptorGroup with entries; ' +
      'for some stacks only, grant the role on a pattern or a tag',
  );
}

function permissionOf(name: unknown): Permission {
  if (typeof name === 'string' && Object.hasOwn(PERMISSIONS, name)) return name as Permission;
  throw new Refusal(
    400,
    `details: ${JSON.stringify(name)} is no permission here; there are ${Object.keys(PERMISSIONS).join(', ')}`,
  );
}
