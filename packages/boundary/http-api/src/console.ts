import * as v from 'valibot';
import type { Route } from './route.js';
import type { LostStateMark } from './stacks.js';

const NONE = 0;
const SMALL = 1 << 20;
const STACK = '/console/stacks/{org}/{project}/{stack}';

/** Routes of the console. What they answer has no value of a secret, and no ciphertext. */
export const CONSOLE_ROUTES = {
  consoleStart: { method: 'GET', path: '/console/start', needs: 'anyone', maxBody: NONE },
  consoleSignIn: { method: 'GET', path: '/console/login', needs: 'anyone', maxBody: NONE },
  consoleLink: {
    method: 'POST',
    path: '/console/links',
    needs: 'user',
    maxBody: SMALL,
    audit: 'made a link to the console',
  },
  consoleEnter: {
    method: 'POST',
    path: '/console/sessions',
    needs: 'anyone',
    maxBody: SMALL,
    audit: 'opened the console',
  },
  consoleSession: { method: 'GET', path: '/console/session', needs: 'user', maxBody: NONE },
  consoleLeave: {
    method: 'DELETE',
    path: '/console/session',
    needs: 'user',
    maxBody: NONE,
    audit: 'left the console',
  },
  consoleStacks: { method: 'GET', path: '/console/stacks', needs: 'user', maxBody: NONE },
  consoleStream: { method: 'GET', path: '/console/stream', needs: 'user', maxBody: NONE },
  consoleStack: { method: 'GET', path: STACK, needs: 'reader', permission: 'stack:read', maxBody: NONE },
  consoleResources: {
    method: 'GET',
    path: `${STACK}/resources`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleResource: {
    method: 'GET',
    path: `${STACK}/resource`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleResourceHistory: {
    method: 'GET',
    path: `${STACK}/resource/history`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleAccess: { method: 'GET', path: `${STACK}/access`, needs: 'admin', maxBody: NONE },
  consoleSettings: {
    method: 'GET',
    path: `${STACK}/settings`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  consoleCompare: {
    method: 'GET',
    path: `${STACK}/compare`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleChange: {
    method: 'GET',
    path: `${STACK}/changes/{number}`,
    needs: 'reader',
    permission: 'stack:read',
    maxBody: NONE,
  },
  consolePreviews: {
    method: 'GET',
    path: `${STACK}/previews`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consolePreview: {
    method: 'GET',
    path: `${STACK}/previews/{update}`,
    needs: 'reader',
    permission: 'stack:export',
    maxBody: NONE,
  },
  consoleContinue: {
    method: 'POST',
    path: `${STACK}/changes/{number}/continue`,
    needs: 'writer',
    permission: 'stack:write',
    maxBody: SMALL,
    audit: 'continued an operation in the console',
  },
  consoleReveal: {
    method: 'POST',
    path: `${STACK}/reveal`,
    needs: 'writer',
    permission: 'stack:decrypt',
    maxBody: SMALL,
    audit: 'revealed a secret in the console',
    auditFirst: true,
  },
} as const satisfies Readonly<Record<string, Route>>;

/** Request that opens a session of the console with the secret of a link. */
export const EnterRequest = v.object({ link: v.pipe(v.string(), v.maxLength(200)) });

/** Request to continue a change where its providers are. */
export const ContinueRequest = v.object({ how: v.picklist(['resume', 'rollback']) });

/** Request for one secret value of a resource in the newest state. */
export const RevealRequest = v.object({
  urn: v.string(),
  part: v.picklist(['inputs', 'outputs']),
  path: v.pipe(v.array(v.union([v.string(), v.pipe(v.number(), v.safeInteger())])), v.maxLength(100)),
});

/** Answer to a browser that is not known yet. */
export interface ConsoleStartAnswer {
  /** True if people sign in at a provider. */
  readonly signIn: boolean;
}

/** Answer about the session of a browser. */
export interface ConsoleSessionAnswer {
  readonly user: string;
  readonly organizations: readonly string[];
  /** End of the session, in seconds since 1970. Undefined for a token that does not end. */
  readonly expiresAt?: number;
}

/** Answer with a link to the console. */
export interface ConsoleLinkAnswer {
  /** Path and fragment. The fragment has the secret, so that no server and no log sees it. */
  readonly path: string;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

/** Answer with a link to the console, as its reader takes it. */
export const ConsoleLinkBody = v.object({ path: v.pipe(v.string(), v.regex(/^\/enter#[\w-]+$/)) });

/** Stack in the list of the console. Times are in seconds since 1970. */
export interface ConsoleStackRow {
  readonly org: string;
  readonly project: string;
  readonly stack: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly resources?: number;
  readonly running: boolean;
  /** Newest operation of the history. */
  readonly last?: { readonly kind: string; readonly result: string; readonly endTime: number };
  /** Number of steps in doubt. */
  readonly inDoubt: number;
  /** Number of steps that wait for an approval. */
  readonly approvals?: number;
  /** Number of resources that the newest look for drift found to differ, and its time. */
  readonly drift?: { readonly resources: number; readonly at: number };
  /** Number of clients that wait for the stack. */
  readonly waiting?: number;
  /** Holder of the lock of the stack, if it is a tool that works on the bucket itself, or a person. */
  readonly holder?: string;
  readonly lostState?: LostStateMark;
}

/** Answer with a page of stacks. Without a token there are no more. */
export interface ConsoleStacksAnswer {
  readonly stacks: readonly ConsoleStackRow[];
  readonly next: string | null;
}

/** Change of a stack as the service has it; `operation` and `sealed` are parts of the files of a journal. */
export interface ConsoleChangeRow {
  readonly number: number;
  readonly operation: {
    readonly operation?: string;
    readonly username?: string;
    readonly hostname?: string;
    readonly message?: string;
    /** In seconds since 1970. */
    readonly startTime?: number;
    readonly environment?: Readonly<Record<string, string>>;
    readonly continues?: { readonly change: string; readonly how: string };
  };
  readonly sealed?: {
    readonly result?: string;
    readonly status?: string;
    readonly tasks?: Readonly<Record<string, number>>;
    readonly ended?: string;
  };
  readonly running: boolean;
}

/** Step that was begun and whose end is not known. */
export interface ConsoleDoubt {
  /** Name of the step in commands. */
  readonly name: string;
  readonly type: string;
  readonly urn: string;
  /** Id of its object, if it had one. */
  readonly id?: string;
  /** Number of the change that began it, and its task, if their records are kept. */
  readonly change?: number;
  readonly task?: string;
  /** RFC 3339. */
  readonly since?: string;
  /** Text of the record that left it in doubt. */
  readonly reason?: string;
  /** True if the provider has named the work, so that its end can be asked for. */
  readonly isNamed?: true;
  /** Answers that were given, oldest first. */
  readonly answers: readonly { readonly by: string; readonly answer: unknown }[];
}

/** Answer about one stack. */
export interface ConsoleStackAnswer {
  readonly org: string;
  readonly project: string;
  readonly stack: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly version: number;
  readonly resources: number;
  /** Outputs of the program, without the values of secrets. */
  readonly outputs: unknown;
  /** Keys of the configuration of the newest operation, and whether each is secret. */
  readonly config: readonly { readonly key: string; readonly secret: boolean; readonly value?: string }[];
  readonly running?: {
    readonly update: string;
    readonly kind: string;
    readonly by: string;
    readonly since: number;
  };
  /** Newest first. */
  readonly changes: readonly ConsoleChangeRow[];
  readonly doubts: readonly ConsoleDoubt[];
  /** Reason why the state fails the integrity check. */
  readonly integrity?: string;
  readonly lostState?: LostStateMark;
  /** Role of the caller. */
  readonly role: string;
  /** True if this process can resume and roll back changes itself, and need not be given a terminal. */
  readonly continues: boolean;
}

/** Resource in a list: an entry of a state without its properties. */
export interface ConsoleResourceRow {
  readonly urn: string;
  readonly id?: string;
  readonly parent?: string;
  /** URNs of the resources that it depends on. */
  readonly needs?: readonly string[];
  readonly custom: boolean;
  readonly protect?: true;
  /** True for an object that must still be deleted. */
  readonly delete?: true;
  readonly external?: true;
  readonly taint?: true;
}

/** Answer with the resources of a state. */
export interface ConsoleResourcesAnswer {
  readonly version: number;
  readonly resources: readonly ConsoleResourceRow[];
}

/** Answer about one resource: its entries with their properties, without the values of secrets. */
export interface ConsoleResourceAnswer {
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** URNs of the resources that depend on it. */
  readonly neededBy: readonly string[];
}

/** Version that a resource has changed in. */
interface ConsoleResourceVersion {
  readonly version: number;
  readonly kind: string;
  /** In seconds since 1970. */
  readonly at: number;
  /** `unknown` if the state after it, or the one before, is not kept. */
  readonly what: 'created' | 'deleted' | 'changed' | 'unknown';
  readonly differences: readonly ConsoleDifference[];
}

/** Answer with the versions of one page of the history that changed a resource, newest first. */
export interface ConsoleResourceHistoryAnswer {
  readonly versions: readonly ConsoleResourceVersion[];
  /** Number of versions that were looked at. */
  readonly looked: number;
  /** True if the history has older versions. */
  readonly more: boolean;
}

/** Answer with the holders of roles on a stack. */
export interface ConsoleAccessAnswer {
  readonly holders: readonly { readonly to: string; readonly role: string; readonly through: string }[];
}

/** Schedule of a stack, without the settings of what it asks for. Times are RFC 3339. */
export interface ConsoleSchedule {
  readonly id: string;
  readonly kind: 'raw' | 'drift' | 'ttl';
  readonly operation: string;
  /** True if drift that it finds is repaired, or if the destroyed stack is removed as well. */
  readonly also: boolean;
  readonly cron?: string;
  readonly once?: string;
  readonly zone?: string;
  readonly jitter?: string;
  readonly next?: string;
  readonly last?: string;
  readonly paused: boolean;
}

/** Answer with the settings and schedules that agents follow. */
export interface ConsoleSettingsAnswer {
  /** Settings with marks in place of their secrets. `null` if the stack has none. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  readonly schedules: readonly ConsoleSchedule[];
}

/** Difference at one path of a property. An absent side has no member. */
export interface ConsoleDifference {
  readonly path: readonly (string | number)[];
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Answer with what differs between two states. */
export interface ConsoleCompareAnswer {
  readonly added: readonly ConsoleResourceRow[];
  readonly gone: readonly ConsoleResourceRow[];
  /** Objects that are the same under another URN. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  readonly changed: readonly { readonly urn: string; readonly differences: readonly ConsoleDifference[] }[];
  readonly unchanged: number;
}

/** Answer with a change and its records, without journal entries. */
export interface ConsoleChangeAnswer {
  readonly change: ConsoleChangeRow;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Preview of a stack. Times are in seconds since 1970. */
export interface ConsolePreviewRow {
  readonly id: string;
  /** Kind of the operation that it previews: `update`, `refresh`, `destroy`. */
  readonly kind: string;
  readonly by: string;
  readonly message: string;
  readonly startTime: number;
  readonly result: string;
  readonly changes: Readonly<Record<string, number>>;
}

/** Step of a preview, without values. */
export interface ConsolePreviewStep {
  readonly urn: string;
  readonly type: string;
  /** Word of the protocol for it. */
  readonly op: string;
  /** Reason for it, which only Cairn's own client sends. */
  readonly reason?: string;
  /** Properties because of which the object is replaced. */
  readonly replaces?: readonly string[];
  readonly differences: readonly { readonly path: string; readonly kind: string }[];
}

/** Verdict of a policy about a preview. */
export interface ConsolePolicyVerdict {
  readonly policy: string;
  readonly pack: string;
  readonly level: string;
  readonly message: string;
  readonly urn?: string;
}

/** Answer with the previews of the newest version, newest first, and what the last refresh among them found. */
export interface ConsolePreviewsAnswer {
  readonly previews: readonly ConsolePreviewRow[];
  /** Undefined without a preview of a refresh that ended. */
  readonly drift?: {
    readonly at: number;
    readonly resources: readonly (ConsolePreviewStep & { readonly since: number })[];
  };
}

/** Answer with one preview. */
export interface ConsolePreviewAnswer {
  readonly preview: ConsolePreviewRow;
  readonly steps: readonly ConsolePreviewStep[];
  readonly policies: readonly ConsolePolicyVerdict[];
  /** Versions of the stack since the preview, and those of its resources that they changed. */
  readonly moved: { readonly versions: number; readonly urns: readonly string[] };
}

/** Event of the stream about a stack: facts of it have changed. */
export interface ConsoleStackEvent {
  /** `ORG/PROJECT/STACK`. */
  readonly stack: string;
  readonly running: string | null;
  readonly change: number | null;
}

/** Event of the stream with records of the newest change of a stack. */
export interface ConsoleRecordsEvent {
  readonly stack: string;
  readonly change: number;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}
