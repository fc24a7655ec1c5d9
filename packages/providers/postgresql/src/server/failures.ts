import { ProviderError } from '@cairn/provider-sdk';
import type { StatusName } from '@cairn/provider-sdk';

/** Classes and codes of PostgreSQL's SQLSTATE whose meaning a status name has; the longest match counts. */
const STATUS: Readonly<Record<string, StatusName>> = {
  '08': 'UNAVAILABLE',
  '28': 'UNAUTHENTICATED',
  '42501': 'PERMISSION_DENIED',
  '42710': 'ALREADY_EXISTS',
  '42P04': 'ALREADY_EXISTS',
  '42P06': 'ALREADY_EXISTS',
  '42704': 'NOT_FOUND',
  '3D000': 'NOT_FOUND',
  '3F000': 'NOT_FOUND',
  '53': 'RESOURCE_EXHAUSTED',
  '57P03': 'UNAVAILABLE',
};

/** What a server says of a statement that it refused. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

type Severity = 'ERROR' | 'FATAL';

/**
 * Whether the server refused a statement: then it, and the transaction around it, did nothing. An error with which the
 * server ends the connection (`FATAL`) is none: what it interrupted may have been the end of a commit.
 */
export function isRefusal(thrown: unknown): thrown is Error & Refusal {
  return isFrom(thrown, 'ERROR');
}

function isFrom(thrown: unknown, ...severities: readonly Severity[]): thrown is Error & Refusal {
  if (!(thrown instanceof Error)) return false;
  const { severity, code } = thrown as { severity?: unknown; code?: unknown };
  return severities.some((one) => one === severity) && typeof code === 'string';
}

/** SQLSTATE of what a server has said; undefined for anything else. */
export function sqlState(thrown: unknown): string | undefined {
  return isFrom(thrown, 'ERROR', 'FATAL') ? thrown.code : undefined;
}

/** The error for a connection that was not made. Nothing was done. `where`: of the server. */
export function notConnected(where: string, thrown: unknown): ProviderError {
  const state = sqlState(thrown);
  const code = state === undefined ? 'UNAVAILABLE' : statusOf(state);
  return new ProviderError(code, `cannot connect to PostgreSQL at ${where}: ${messageOf(thrown)}`, {
    cause: thrown,
  });
}

/**
 * The error of a handler for what a statement threw. A refusal is a `ProviderError`: nothing was done. A connection
 * that broke says nothing about the statement, so it stays a plain error, which leaves the object in doubt.
 * `task`: what was tried, as in "create database shop".
 */
export function failure(task: string, thrown: unknown, redact: (text: string) => string): Error {
  if (thrown instanceof ProviderError) return thrown;
  if (!isRefusal(thrown)) return new Error(redact(`cannot ${task}: ${messageOf(thrown)}`), { cause: thrown });
  const { code, message, detail, hint } = thrown;
  const parts = [message, detail, hint].filter((part) => part !== undefined && part !== '');
  return new ProviderError(statusOf(code), redact(`cannot ${task}: ${parts.join('; ')} (SQLSTATE ${code})`));
}

function statusOf(state: string): StatusName {
  return STATUS[state] ?? STATUS[state.slice(0, 2)] ?? 'FAILED_PRECONDITION';
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // Where every address of a name was tried, the message is empty and only the code says why.
  return thrown.message !== '' ? thrown.message : String((thrown as { code?: unknown }).code ?? thrown.name);
}
