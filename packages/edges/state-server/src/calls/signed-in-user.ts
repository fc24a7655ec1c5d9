import type { UserRecord } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import type { Role } from '../domain/roles.js';
import { SERVICE_WIDE } from '../store/access-store.js';
import { addMember, noteUser } from './membership.js';
import type { OrganizationPorts } from './organizations.js';

/** Account that has signed in. */
export interface SignedInUser {
  readonly login: string;
  readonly subject: NonNullable<UserRecord['subject']>;
  /** Teams that the provider names, or undefined if it decides nothing about teams. */
  readonly teams: readonly string[] | undefined;
}

/** Organization and role of people who sign in for the first time. */
interface FirstPlace {
  readonly organization: string;
  readonly role: Role;
}

/**
 * Returns the login of an account that has signed in. The account keeps the login of its first sign-in, whatever the
 * provider calls it later. Refuses an account that has the name of another user.
 */
export async function signedInLogin(
  ports: OrganizationPorts,
  user: SignedInUser,
  place: FirstPlace,
): Promise<string> {
  const { store } = ports;
  const users = await store.listAccess('users', SERVICE_WIDE);
  const known = users.find(
    ({ subject }) => subject?.issuer === user.subject.issuer && subject.id === user.subject.id,
  );
  const login = known?.id ?? user.login;
  if (known === undefined) await linkUser(ports, user, users, place);
  if (user.teams !== undefined) await joinTeams(ports, place.organization, login, user.teams);
  return login;
}

async function linkUser(
  ports: OrganizationPorts,
  { login, subject }: SignedInUser,
  users: readonly UserRecord[],
  { organization, role }: FirstPlace,
): Promise<void> {
  const named = users.find(({ id }) => id === login);
  if (named !== undefined && named.signIn !== true)
    throw new Refusal(403, `There is a user '${login}' already, who does not sign in with this account.`);
  if (named === undefined) await addMember(ports, organization, login, role);
  await noteUser(ports, { id: login, subject, signIn: false });
}

/** Makes a member part of those teams of the organization that the provider names, and of no others. */
async function joinTeams(
  { store }: OrganizationPorts,
  organization: string,
  login: string,
  names: readonly string[],
): Promise<void> {
  await store.changeAccess(organization, async (access) => {
    if ((await access.findAccess('members', organization, login)) === undefined) return;
    for (const team of await access.listAccess('teams', organization)) {
      const isMember = team.members.includes(login);
      if (isMember === names.includes(team.id)) continue;
      const others = team.members.filter((each) => each !== login);
      await access.putAccess('teams', { ...team, members: isMember ? others : [...others, login] });
    }
  });
}
