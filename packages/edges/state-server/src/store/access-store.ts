import type {
  AccessFacts,
  Grant,
  Grantee,
  OrganizationMember,
  OrganizationRecord,
  Team,
  UserRecord,
} from '../domain/access.js';
import type { CustomRole } from '../domain/custom-roles.js';
import type { Hook } from '../domain/hooks.js';
import type { PasswordRecord } from '../domain/passwords.js';
import type { Signer } from '../domain/signers.js';
import type { Trust } from '../domain/trust.js';

/**
 * Records about access and webhooks, by kind. Users, their passwords, organizations and the keys that sign tokens of
 * runs belong to the service, the others to an organization.
 */
export interface AccessRecords {
  readonly users: UserRecord;
  readonly organizations: OrganizationRecord;
  readonly members: OrganizationMember;
  readonly teams: Team;
  readonly grants: Grant;
  readonly roles: CustomRole;
  readonly trusts: Trust;
  readonly hooks: Hook;
  readonly signers: Signer;
  readonly passwords: PasswordRecord;
}

/** Kind of a record about access. */
export type AccessKind = keyof AccessRecords;

/** Kinds of records, with the names of their tables. */
export const ACCESS_KINDS = [
  'users',
  'organizations',
  'members',
  'teams',
  'grants',
  'roles',
  'trusts',
  'hooks',
  'signers',
  'passwords',
] as const satisfies readonly AccessKind[];

/** Place of the records that belong to the service and to no organization. */
export const SERVICE_WIDE = '';

/** Reads records about access. `place` is an organization or {@link SERVICE_WIDE}. */
export interface AccessReader {
  listAccess<K extends AccessKind>(kind: K, place: string): Promise<readonly AccessRecords[K][]>;
  findAccess<K extends AccessKind>(kind: K, place: string, id: string): Promise<AccessRecords[K] | undefined>;
}

/** Changes records of one place. */
export interface AccessEditor extends AccessReader {
  putAccess<K extends AccessKind>(kind: K, record: AccessRecords[K]): Promise<void>;
  removeAccess(kind: AccessKind, id: string): Promise<void>;
}

/** Users, organizations and what they may do. */
export interface AccessStore extends AccessReader {
  /** Returns what an organization knows about a user or a team. */
  accessFacts(organization: string, subject: Grantee): Promise<AccessFacts>;
  /** Returns the organizations that a user is a member of. */
  organizationsOf(login: string): Promise<readonly string[]>;
  /**
   * Changes records of one place. No other change of the place happens at the same time, in any process. All of it is
   * stored, or nothing. The work may run again.
   */
  changeAccess<T>(place: string, work: (access: AccessEditor) => Promise<T>): Promise<T>;
}
