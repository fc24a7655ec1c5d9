/** Exit codes of the command line [CLI-10]. */
export const EXIT = {
  ok: 0,
  general: 1,
  usage: 2,
  authentication: 3,
  resource: 4,
  policy: 5,
  stackNotFound: 6,
  unexpectedChanges: 7,
  cancelled: 8,
  timeout: 9,
  waiting: 10,
  rolledBack: 11,
  conflict: 12,
  internal: 255,
} as const;

/** Name of an exit code. */
export type ExitName = keyof typeof EXIT;

/**
 * Every code a user can meet, with the exit code it leads to. Codes are stable: scripts and the documentation refer to
 * them. One row a code; keep rows grouped by the area that raises them.
 */
export const codes = {
  // invocation
  'CAIRN-USAGE': 'usage',
  'CAIRN-NEEDS-CONFIRMATION': 'usage',
  'CAIRN-EVENT-LOG': 'usage',
  // project, stack and config files
  'CAIRN-PROJECT-MISSING': 'usage',
  'CAIRN-PROJECT-INVALID': 'usage',
  'CAIRN-CONFIG-INVALID': 'usage',
  'CAIRN-CONFIG-MISSING': 'usage',
  'CAIRN-STACK-NOT-FOUND': 'stackNotFound',
  'CAIRN-STACK-EXISTS': 'general',
  'CAIRN-STACK-NOT-EMPTY': 'general',
  'CAIRN-NAME-INVALID': 'usage',
  // secrets
  'CAIRN-PASSPHRASE-MISSING': 'authentication',
  'CAIRN-PASSPHRASE-WRONG': 'authentication',
  'CAIRN-SECRETS-UNKNOWN-TYPE': 'general',
  'CAIRN-SECRETS-MALFORMED': 'general',
  'CAIRN-KEY-URL': 'usage',
  'CAIRN-KEY-CREDENTIALS': 'authentication',
  'CAIRN-KEY-DENIED': 'authentication',
  'CAIRN-KEY-MISSING': 'general',
  'CAIRN-KEY-WRONG': 'general',
  'CAIRN-KEY-UNAVAILABLE': 'general',
  'CAIRN-KEY-FAILED': 'general',
  // stores and state
  'CAIRN-BACKEND-URL': 'usage',
  'CAIRN-STORE-FULL': 'general',
  'CAIRN-STORE-READ-ONLY': 'general',
  'CAIRN-STORE-DENIED': 'general',
  'CAIRN-STORE-FAILED': 'general',
  'CAIRN-STORE-CONFLICT': 'general',
  'CAIRN-STORE-UNAVAILABLE': 'general',
  'CAIRN-STORE-CREDENTIALS': 'authentication',
  'CAIRN-STORE-NO-BUCKET': 'general',
  'CAIRN-STORE-UNCONDITIONAL': 'general',
  'CAIRN-LEASE-LOST': 'general',
  'CAIRN-STATE-LOCKED': 'general',
  'CAIRN-STATE-CORRUPT': 'general',
  'CAIRN-STATE-TOO-NEW': 'general',
  'CAIRN-STATE-TOO-OLD': 'general',
  'CAIRN-STATE-SEALED': 'authentication',
  'CAIRN-STATE-SEALED-DAMAGED': 'general',
  'CAIRN-STATE-INTEGRITY': 'general',
  'CAIRN-STATE-RESOURCE': 'general',
  'CAIRN-JOURNAL-CORRUPT': 'general',
  'CAIRN-IN-DOUBT': 'general',
  // changes
  'CAIRN-CHANGE-UNKNOWN': 'general',
  'CAIRN-CHANGE-ENDED': 'general',
  'CAIRN-UNFINISHED': 'general',
  'CAIRN-CHANGE-SUPERSEDED': 'general',
  'CAIRN-CHANGE-CONFLICT': 'conflict',
  // plugins and providers
  'CAIRN-PLUGIN-NOT-FOUND': 'general',
  'CAIRN-PLUGIN-START': 'general',
  'CAIRN-PLUGIN-DIED': 'resource',
  'CAIRN-PLUGIN-OUTPUT': 'general',
  'CAIRN-PEER-REFUSED': 'general',
  'CAIRN-PROVIDER-CONFIG': 'resource',
  'CAIRN-PROVIDER-ANSWER': 'resource',
  'CAIRN-PROVIDER-CONTRACT': 'resource',
  'CAIRN-PROVIDER-REFERENCE': 'resource',
  // program
  'CAIRN-PROGRAM-FAILED': 'general',
  'CAIRN-PROGRAM-LOAD': 'general',
  'CAIRN-PROGRAM-LOG': 'general',
  'CAIRN-PROGRAM-CHANGED': 'general',
  'CAIRN-RUNTIME-UNKNOWN': 'usage',
  // resources
  'CAIRN-RESOURCE-FAILED': 'resource',
  'CAIRN-RESOURCE-INIT-FAILED': 'resource',
  'CAIRN-RESOURCE-CHECK': 'resource',
  'CAIRN-RESOURCE-DUPLICATE': 'resource',
  'CAIRN-RESOURCE-PARENT': 'resource',
  'CAIRN-RESOURCE-TYPE': 'resource',
  'CAIRN-RESOURCE-OPTION': 'resource',
  'CAIRN-HOOK-FAILED': 'resource',
  'CAIRN-RESOURCE-ASSET': 'resource',
  'CAIRN-RESOURCE-PROTECTED': 'resource',
  'CAIRN-RESOURCE-MISSING': 'resource',
  'CAIRN-RESOURCE-CYCLE': 'resource',
  'CAIRN-ROLLBACK-HELD': 'resource',
  'CAIRN-INVOKE-FAILED': 'resource',
  'CAIRN-TARGET': 'resource',
  // saved plans
  'CAIRN-PLAN-INVALID': 'usage',
  'CAIRN-PLAN-VIOLATED': 'general',
  'CAIRN-PLAN-RESUMED': 'general',
  // policies and snippets
  'CAIRN-SNIPPET': 'usage',
  'CAIRN-POLICY-PACK': 'general',
  'CAIRN-POLICY-VIOLATION': 'policy',
  // outcomes of operations
  'CAIRN-CANCELLED': 'cancelled',
  'CAIRN-WAITING': 'waiting',
  'CAIRN-UNEXPECTED-CHANGES': 'unexpectedChanges',
  'CAIRN-TIMEOUT': 'timeout',
  'CAIRN-INTERNAL': 'internal',
} as const satisfies Record<string, ExitName>;

/** A code of the table. */
export type ErrorCode = keyof typeof codes;

/** Exit code for a diagnostic's code; a code outside the table counts as a general failure. */
export function exitCodeFor(code: string): number {
  return Object.hasOwn(codes, code) ? EXIT[codes[code as ErrorCode]] : EXIT.general;
}
