import type { MemberAnswer, UserInfoAnswer } from '@cairn/http-api';
import type { OrganizationMember, RoleId, Team } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import type { AccessEditor, AccessReader } from '../store/access-store.js';
import type { ServiceStore } from '../store/service-store.js';
import { addMember, noteUser } from './membership.js';
import { seconds } from './service-ports.js';
import { knownMemberRole } from './roles.js';
import { rfc3339 } from './tokens.js';

/** Facilities for changing who may do what. */
export interface OrganizationPorts {
  readonly store: ServiceStore;
  readonly now: () => Date;
}

/** Makes an organization with its first administrator. Refuses one that exists. */
export async function createOrganization(
  ports: OrganizationPorts,
  name: string,
  admin: string | undefined,
): Promise<void> {
  const { store, now } = ports;
  await store.changeAccess(SERVICE_WIDE, async (access) => {
    const isThere = (await access.findAccess('organizations', SERVICE_WIDE, name)) !== undefined;
    if (isThere || name === 'organization') throw new Refusal(409, `Organization '${name}' already exists.`);
    await access.putAccess('organizations', { id: name, since: seconds(now()) });
  });
  if (admin !== undefined) await addMember(ports, name, admin, 'admin');
}

/** Sets the role of a user in an organization. The user becomes a member, if that is new. */
export async function setMember(
  ports: OrganizationPorts,
  organization: string,
  login: string,
  role: RoleId,
): Promise<void> {
  await ports.store.changeAccess(organization, async (access) => {
    await knownMemberRole(access, organization, role);
    const member = await access.findAccess('members', organization, login);
    if (member !== undefined && role !== 'admin') await refuseLastAdmin(access, organization, member);
    await access.putAccess('members', { since: seconds(ports.now()), ...member, id: login, role });
  });
  await noteUser(ports, { id: login });
}

/** Changes the role of a member. Refuses a user who is none, and to leave an organization without administrator. */
export async function changeMember(
  { store }: OrganizationPorts,
  organization: string,
  login: string,
  role: RoleId,
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    const member = await knownMember(access, organization, login);
    await knownMemberRole(access, organization, role);
    if (role !== 'admin') await refuseLastAdmin(access, organization, member);
    if (member.role !== role) await access.putAccess('members', { ...member, role });
  });
}

/** Removes a member with the grants and the places in teams. Refuses to leave an organization without administrator. */
export async function removeMember(
  { store }: OrganizationPorts,
  organization: string,
  login: string,
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    await refuseLastAdmin(access, organization, await knownMember(access, organization, login));
    await access.removeAccess('members', login);
    await removeGrants(access, organization, `user:${login}`);
    for (const team of await access.listAccess('teams', organization))
      if (team.members.includes(login)) await access.putAccess('teams', withoutMember(team, login));
  });
}

/** Returns the members of an organization, as the protocol shows them. */
export async function listMembers(
  { store }: OrganizationPorts,
  organization: string,
): Promise<readonly MemberAnswer[]> {
  const roles = new Map((await store.listAccess('roles', organization)).map(({ id, name }) => [id, name]));
  return (await store.listAccess('members', organization)).map(({ id, role, since }) => ({
    role: role === 'admin' ? 'admin' : 'member',
    user: userInfo(id),
    created: rfc3339(since),
    ...{ knownToPulumi: true, virtualAdmin: false },
    fgaRole: { id: role, name: roles.get(role) ?? role, modifiedAt: rfc3339(since) },
  }));
}

/** Makes a team. Refuses one that exists, and members of it who are not in the organization. */
export async function createTeam(
  { store }: OrganizationPorts,
  organization: string,
  team: Team,
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    if ((await access.findAccess('teams', organization, team.id)) !== undefined)
      throw new Refusal(409, `Team '${team.id}' already exists.`);
    for (const login of team.members) await knownMember(access, organization, login);
    await access.putAccess('teams', { ...team, members: [...new Set(team.members)] });
  });
}

/** Makes a team, or replaces the members of one. Refuses members who are not in the organization. */
export async function putTeam({ store }: OrganizationPorts, organization: string, team: Team): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    for (const login of team.members) await knownMember(access, organization, login);
    await access.putAccess('teams', { ...team, members: [...new Set(team.members)] });
  });
}

/** Adds a member to a team, or removes one. */
export async function changeTeam(
  { store }: OrganizationPorts,
  organization: string,
  change: { readonly team: string; readonly action: 'add' | 'remove'; readonly login: string },
): Promise<void> {
  const { team: id, action, login } = change;
  await store.changeAccess(organization, async (access) => {
    const team = await knownTeam(access, organization, id);
    const others = withoutMember(team, login);
    if (action === 'remove') return access.putAccess('teams', others);
    await knownMember(access, organization, login);
    await access.putAccess('teams', { ...others, members: [...others.members, login] });
  });
}

/** Removes a team with its grants. Its tokens may do nothing from then on. */
export async function removeTeam(
  { store }: OrganizationPorts,
  organization: string,
  id: string,
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    await knownTeam(access, organization, id);
    await access.removeAccess('teams', id);
    await removeGrants(access, organization, `team:${id}`);
  });
}

/** Returns a user as other messages name one. */
export function userInfo(login: string): UserInfoAnswer {
  return { name: login, githubLogin: login, avatarUrl: '' };
}

/** Returns a team. Refuses one that does not exist. */
export async function knownTeam(access: AccessReader, organization: string, id: string): Promise<Team> {
  const team = await access.findAccess('teams', organization, id);
  if (team !== undefined) return team;
  throw new Refusal(404, `Team '${id}' not found.`);
}

/** Returns a member. Refuses a user who is none. */
export async function knownMember(
  access: AccessEditor,
  organization: string,
  login: string,
): Promise<OrganizationMember> {
  const member = await access.findAccess('members', organization, login);
  if (member !== undefined) return member;
  throw new Refusal(404, `Member '${login}' not found.`);
}

async function refuseLastAdmin(
  access: AccessEditor,
  organization: string,
  member: OrganizationMember,
): Promise<void> {
  if (member.role !== 'admin') return;
  const admins = (await access.listAccess('members', organization)).filter(({ role }) => role === 'admin');
  if (admins.length === 1) throw new Refusal(409, `'${member.id}' is the only administrator.`);
}

async function removeGrants(access: AccessEditor, organization: string, holder: string): Promise<void> {
  for (const { id, to } of await access.listAccess('grants', organization))
    if (to === holder) await access.removeAccess('grants', id);
}

function withoutMember(team: Team, login: string): Team {
  return { ...team, members: team.members.filter((each) => each !== login) };
}
