import type { RoleAnswer } from '@cairn/http-api';
import type { RoleId } from '../domain/access.js';
import { permissionsIn } from '../domain/custom-roles.js';
import type { CustomRole } from '../domain/custom-roles.js';
import { Refusal } from '../domain/refusal.js';
import { ROLES } from '../domain/roles.js';
import type { AccessEditor, AccessReader, AccessStore } from '../store/access-store.js';
import { seconds } from './service-ports.js';
import { rfc3339 } from './tokens.js';

/** Facilities for changing roles. */
interface RolePorts {
  readonly store: AccessStore;
  readonly now: () => Date;
  /** Returns a fresh UUID. */
  readonly newId: () => string;
}

/** Facts about a role that its client chooses. */
type RoleText = Pick<CustomRole, 'name' | 'description' | 'details'>;

/** Makes a role. Refuses a name that another role has, and details that cannot be kept to. */
export async function createRole(
  { store, newId, now }: RolePorts,
  organization: string,
  role: RoleText & Pick<CustomRole, 'uxPurpose' | 'resourceType'>,
): Promise<CustomRole> {
  const permissions = [...permissionsIn(role.details)];
  return store.changeAccess(organization, async (access) => {
    await refuseName(access, organization, role.name);
    const at = seconds(now());
    const made = { ...role, permissions, id: newId(), version: 1, created: at, modified: at };
    await access.putAccess('roles', made);
    return made;
  });
}

/** Changes a role. It counts from the next call of its holders on. Refuses a role of the service. */
export async function changeRole(
  { store, now }: RolePorts,
  organization: string,
  id: RoleId,
  text: RoleText,
): Promise<CustomRole> {
  const permissions = [...permissionsIn(text.details)];
  return store.changeAccess(organization, async (access) => {
    const role = await customRole(access, organization, id);
    if (text.name !== role.name) await refuseName(access, organization, text.name);
    const changed = { ...role, ...text, permissions, version: role.version + 1, modified: seconds(now()) };
    await access.putAccess('roles', changed);
    return changed;
  });
}

/** Removes a role. One that a member, a user or a team has is refused, unless it is forced: then they lose it. */
export async function removeRole(
  { store }: RolePorts,
  organization: string,
  id: RoleId,
  force: boolean,
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    await customRole(access, organization, id);
    const members = (await access.listAccess('members', organization)).filter(({ role }) => role === id);
    const grants = (await access.listAccess('grants', organization)).filter(({ role }) => role === id);
    const holders = [...members.map((member) => `user:${member.id}`), ...grants.map(({ to }) => to)];
    if (holders.length > 0 && !force) throw new Refusal(409, `The role is held by ${listed(holders)}.`);
    for (const member of members) await access.putAccess('members', { ...member, role: 'none' });
    for (const grant of grants) await access.removeAccess('grants', grant.id);
    await access.removeAccess('roles', id);
  });
}

/** Lists the roles of an organization: those of the service first, then its own by name. */
export async function listRoles(access: AccessReader, organization: string): Promise<readonly RoleAnswer[]> {
  const custom = [...(await access.listAccess('roles', organization))];
  custom.sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    ...ROLES.map((role) => roleAnswer(role, organization)),
    ...custom.map((role) => roleAnswer(role, organization)),
  ];
}

/** Returns a role of an organization. Refuses one that does not exist. */
export async function findRole(access: AccessReader, organization: string, id: RoleId): Promise<RoleAnswer> {
  const role = ROLES.find((each) => each === id) ?? (await customRole(access, organization, id));
  return roleAnswer(role, organization);
}

/** Refuses a role that does not exist. */
export async function knownRole(access: AccessReader, organization: string, id: RoleId): Promise<void> {
  await findRole(access, organization, id);
}

/** Refuses a role that no member can have. */
export async function knownMemberRole(access: AccessReader, organization: string, id: RoleId): Promise<void> {
  if (id !== 'none') await knownRole(access, organization, id);
}

/** Returns a role as the protocol shows it. Those of the service have no dates of their own. */
export function roleAnswer(role: CustomRole | (typeof ROLES)[number], organization: string): RoleAnswer {
  const common = { orgId: organization, isOrgDefault: role === 'reader' };
  if (typeof role === 'string') {
    const time = rfc3339(0);
    const kind = { resourceType: 'organization', uxPurpose: 'role', defaultIdentifier: role };
    return { ...common, id: role, name: role, ...kind, version: 1, created: time, modified: time };
  }
  const { created, modified, resourceType, uxPurpose, permissions: _given, ...rest } = role;
  return {
    ...{ ...common, ...rest, resourceType: resourceType || 'organization', uxPurpose: uxPurpose || 'role' },
    ...{ created: rfc3339(created), modified: rfc3339(modified) },
  };
}

async function customRole(access: AccessReader, organization: string, id: RoleId): Promise<CustomRole> {
  const role = await access.findAccess('roles', organization, id);
  if (role !== undefined) return role;
  const why = ROLES.some((each) => each === id) ? 'It is one of the service, which stays as it is.' : '';
  throw why === '' ? new Refusal(404, 'Role not found.') : new Refusal(409, why);
}

async function refuseName(access: AccessEditor, organization: string, name: string): Promise<void> {
  const taken = (await listRoles(access, organization)).some((role) => role.name === name);
  if (taken || name === 'none') throw new Refusal(409, `Role '${name}' already exists.`);
}

/** Names the first few of many. */
function listed(holders: readonly string[]): string {
  const shown = holders.slice(0, 5).join(', ');
  return holders.length > 5 ? `${shown} and ${holders.length - 5} more` : shown;
}
