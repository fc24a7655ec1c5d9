import { ORGANIZATION } from '@cairn/backends';
import type { StackId, StackTags } from '@cairn/backends';
import { isCairnError } from '@cairn/diagnostics';
import { Login } from '@cairn/http-api';
import * as v from 'valibot';
import { permits, needsTags, rightsInOrganization, rightsOnSome, rightsOnStack } from '../domain/access.js';
import type { Access, Needed, Rights } from '../domain/access.js';
import { Refusal } from '../domain/refusal.js';
import type { Role } from '../domain/roles.js';
import type { ServiceStore } from '../store/service-store.js';
import type { TokenRecord } from '../store/token-store.js';
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

  /** Returns the same caller, for whom every right is looked up again. */
  again(): ApiCaller {
    return new ApiCaller(this.token, this.#ports);
  }

  /** Returns a user of the service, with every right that the user has. */
  static ofUser(user: string, ports: CallerPorts): ApiCaller {
    return new ApiCaller({ hash: '', user, name: '', createdAt: 0, role: 'admin' }, ports);
  }

  /** Returns another user of the service. */
  as(user: string): ApiCaller {
    return ApiCaller.ofUser(user, this.#ports);
  }

  /** Name for records and locks. */
  get name(): string {
    return this.token.user;
  }

  /** Returns the organizations in which the caller may work. */
  organizations(): Promise<readonly string[]> {
    return this.#ports.accounts.organizations(this.token);
  }

  /** Returns true if the caller may do something in the whole organization. */
  async mayInOrganization(needed: Needed, organization: string): Promise<boolean> {
    const access = await this.#found(organization);
    const found = access && rightsInOrganization(access);
    return found !== undefined && permits(found, needed);
  }

  /** Returns true if the caller may read a stack. For others it is in no list. Tags that are not given are read. */
  canRead(stack: StackId, tags?: StackTags): Promise<boolean> {
    return this.may({ role: 'reader', permission: 'stack:read' }, stack, tags);
  }

  /** Returns true if the caller may do something on a stack. Tags that are not given are read. */
  async may(needed: Needed, stack: StackId, tags?: StackTags): Promise<boolean> {
    const found = await this.#rightsOn(stack, tags);
    return found !== undefined && permits(found, needed);
  }

  /** Returns the role on a stack, or undefined for a caller without one. */
  async roleOn(stack: StackId): Promise<Role | undefined> {
    return (await this.#rightsOn(stack))?.role;
  }

  /** Refuses a stack on which the caller may do something else (403), or nothing, so that it does not exist (404). */
  async needOnStack(needed: Needed, stack: StackId): Promise<void> {
    await this.#accessIn(stack.organization ?? ORGANIZATION);
    const found = await this.#rightsOn(stack);
    if (found === undefined) throw unknownStack(stack);
    need(found, needed);
  }

  /** Refuses a stack of a new name where the caller may not have one (403). It has no tags yet. */
  async needForNewStack(stack: StackId, permission: 'stack:create' | 'stack:rename'): Promise<void> {
    const access = await this.#accessIn(stack.organization ?? ORGANIZATION);
    need(rightsOnStack(access, { ...stack, tags: {} }), { role: 'writer', permission });
  }

  /** Refuses a caller who may not do something in the whole organization. */
  async needInOrganization(needed: Needed, organization: string): Promise<void> {
    need(rightsInOrganization(await this.#accessIn(organization)), needed);
  }

  /** Refuses a caller who may not do something on any stack that there may be in an organization. */
  async needOnSome(needed: Needed, organization: string): Promise<void> {
    need(rightsOnSome(await this.#accessIn(organization)), needed);
  }

  async #rightsOn(stack: StackId, known?: StackTags): Promise<Rights | undefined> {
    const access = await this.#found(stack.organization ?? ORGANIZATION);
    if (access === undefined) return undefined;
    const tags = known ?? (needsTags(access) ? await this.#tags(stack) : {});
    return rightsOnStack(access, { ...stack, tags });
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

function need(found: Rights | undefined, needed: Needed): void {
  if (found !== undefined && permits(found, needed)) return;
  const { role, permission } = needed;
  const or = permission === undefined ? '' : ` or the permission ${permission}`;
  throw new Refusal(403, `The call needs the role ${role}${or}.`);
}
