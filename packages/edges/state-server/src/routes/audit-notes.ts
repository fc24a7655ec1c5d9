import type { Route, RouteName } from '@cairn/http-api';
import type { ApiCaller } from '../calls/caller.js';
import { seconds } from '../calls/service-ports.js';
import type { PathNames } from '../calls/stack-names.js';
import { tokenId } from '../calls/tokens.js';
import type { AuditEvent } from '../domain/audit.js';
import type { AuditRecord } from '../store/audit-store.js';

/** Facts that a handler adds to the record of its call. */
export interface AuditNote extends Partial<Omit<AuditEvent, 'at' | 'event' | 'description'>> {
  /** Text after that of the route: the object of the call. */
  readonly detail?: string;
  /** True for a call that was made before, and has its row. */
  readonly isRepeat?: boolean;
}

/** Call to record. */
interface RecordedCall {
  readonly name: RouteName;
  readonly route: Route;
  readonly names: PathNames;
  readonly caller: ApiCaller | undefined;
  readonly sourceIp: string;
  readonly now: () => Date;
}

/** Collects the record of a call. */
export class AuditNotes {
  readonly #call: RecordedCall;
  #note: AuditNote = {};

  constructor(call: RecordedCall) {
    this.#call = call;
  }

  add(note: AuditNote): void {
    this.#note = { ...this.#note, ...note };
  }

  /** Login that the handler has noted, if it has. */
  get user(): string | undefined {
    return this.#note.user;
  }

  /** Returns the record, or undefined for a call of which none is kept. */
  record(): AuditRecord | undefined {
    const { audit, auditFirst } = this.#call.route;
    if (audit === undefined) return undefined;
    const event = (): AuditEvent | undefined => (this.#note.isRepeat ? undefined : this.#event(audit));
    return { event, first: auditFirst === true };
  }

  #event(done: string): AuditEvent {
    const { name, names, caller, sourceIp, now } = this.#call;
    const { detail, isRepeat: _, ...noted } = this.#note;
    const { org = '', project, stack, update } = names;
    const details = [detail, update].filter((text) => text !== undefined && text !== '');
    return {
      ...{ at: seconds(now()), organization: org, event: kebab(name), sourceIp },
      description: [done, ...details].join(': '),
      user: caller?.name ?? '',
      tokenId: caller === undefined ? '' : tokenId(caller.token),
      tokenName: caller?.token.name ?? '',
      stack: project !== undefined && stack !== undefined ? `${project}/${stack}` : '',
      ...noted,
    };
  }
}

/** Returns the name of a route as events have it. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
