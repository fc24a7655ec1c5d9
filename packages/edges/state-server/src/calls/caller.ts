import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import { Login } from '@cairn/http-api';
import * as v from 'valibot';
import { needsTags, roleInOrganization, roleOnSome, roleOnStack } from '../domain/access.js';
import type { Access } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import { includes } from '../domain/roles.js';
import type { Role } from '../domain/roles.js';
import type { ServiceStore, TokenRecord } from '../store/service-store.js';
import type { Accounts } from './accounts.js';
import { noOrganization } from './stack-names.js';
import { unknownStack } from './stack-records.js';

/** Facilities for finding out what a caller may do. */
export interface CallerPorts {
  readonly accounts: Accounts;
  readonly store: Pick<ServiceStore, 'tags'>;
}

/** User, team or organization that makes a call, by its token. */
export class ApiCaller {
  readonly token: TokenRecord;
  readonly #ports: CallerPorts;
  /** Access by organization, asked for once in a call. */
  readonly #access = new Map<string, Promise<Access | undefined>>();

  constructor(token: TokenRecord, ports: CallerPorts) {
    this.token = token;
    this.#ports = ports;
  }

  /** Name for records and locks. */
  get name(): string {
    return this.token.user;
  }

  /** Returns the organizations in which the caller may work. */
  organizations(): Promise<readonly string[]> {
    return this.#ports.accounts.organizations(this.token);
  }

  /** Returns true if the caller may read a stack. For others it does not exist. */
  async canRead(stack: StackId): Promise<boolean> {
    return (await this.#roleOn(stack)) !== undefined;
  }

  /** Refuses a stack on which the caller has a smaller role (403), or none, so that it does not exist (404). */
  async needOnStack(role: Role, stack: StackId): Promise<void> {
    await this.#accessIn(stack.organization ?? ORGANIZATION);
    const found = await this.#roleOn(stack);
    if (found === undefined) throw unknownStack(stack);
    needRole(found, role);
  }

  /** Refuses the creation of a stack in a place where the caller may not write (403). */
  async needForNewStack(stack: StackId): Promise<void> {
    const access = await this.#accessIn(stack.organization ?? ORGANIZATION);
    needRole(roleOnStack(access, { ...stack, tags: {} }), 'writer');
  }

  /** Refuses a caller who has a smaller role in the whole organization. */
  async needInOrganization(role: Role, organization: string): Promise<void> {
    needRole(roleInOrganization(await this.#accessIn(organization)), role);
  }

  /** Refuses a caller who has a smaller role on every stack that there may be in an organization. */
  async needOnSome(role: Role, organization: string): Promise<void> {
    needRole(roleOnSome(await this.#accessIn(organization)), role);
  }

  async #roleOn(stack: StackId): Promise<Role | undefined> {
    const access = await this.#found(stack.organization ?? ORGANIZATION);
    if (access === undefined) return undefined;
    const tags = needsTags(access) ? await this.#tags(stack) : {};
    return roleOnStack(access, { ...stack, tags });
  }

  async #accessIn(organization: string): Promise<Access> {
    const access = await this.#found(organization);
    if (access === undefined) throw noOrganization(organization);
    return access;
  }

  async #found(organization: string): Promise<Access | undefined> {
    if (!v.is(Login, organization)) return undefined;
    const known = this.#access.get(organization) ?? this.#ports.accounts.access(this.token, organization);
    this.#access.set(organization, known);
    return known;
  }

  /** A stack that does not exist has no tags. */
  async #tags(stack: StackId): Promise<Readonly<Record<string, string>>> {
    try {
      return await this.#ports.store.tags(stack);
    } catch (thrown) {
      if (isCairnError(thrown) && thrown.diagnostics[0]?.code === 'CAIRN-STACK-NOT-FOUND') return {};
      throw thrown;
    }
  }
}

function needRole(found: Role | undefined, role: Role): void {
  if (!includes(found, role)) throw new Refusal(403, `The call needs the role ${role}.`);
}
