/**
 * Permissions that a role of an organization may have, each with the smallest of the roles of the service that has it.
 * A token with a smaller role has it from no role. Those that begin with `stack` are on stacks, the others in the
 * organization.
 */
export const PERMISSIONS = {
  'stack:read': 'reader',
  'stack:export': 'reader',
  'stack:create': 'writer',
  'stack:write': 'writer',
  'stack:import': 'writer',
  'stack:rename': 'writer',
  'stack:delete': 'writer',
  'stack:encrypt': 'writer',
  'stack:decrypt': 'writer',
  'stack:cancel_update': 'writer',
  'stack_tags:update': 'writer',
  'audit_logs:read': 'admin',
  'audit_logs:export': 'admin',
} as const;

/** Permission of a role of an organization. */
export type Permission = keyof typeof PERMISSIONS;
