import { ProviderError } from '@cairn/provider-sdk';
import type { StatusName } from '@cairn/provider-sdk';

/** Status names for classes and codes of PostgreSQL's SQLSTATE. The longest match counts. */
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

/** A server's message about a refused statement. */
interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

type Severity = 'ERROR' | 'FATAL';

/**
 * Tells whether the server refused a statement: then it, and the transaction around it, had no effect. An error with
 * which the server ends the connection (`FATAL`) is not a refusal: it may have interrupted the end of a commit.
 */
export function isRefusal(thrown: unknown): thrown is Error & Refusal {
  return isFrom(thrown, 'ERROR');
}

function isFrom(thrown: unknown, ...severities: readonly Severity[]): thrown is Error & Refusal {
  if (!(thrown instanceof Error)) return false;
  const { severity, code } = thrown as { severity?: unknown; code?: unknown };
  return severities.some((one) => one === severity) && typeof code === 'string';
}

/** Returns the SQLSTATE of a server's error. Undefined for any other error. */
export function sqlState(thrown: unknown): string | undefined {
  return isFrom(thrown, 'ERROR', 'FATAL') ? thrown.code : undefined;
}

/** Returns the error for a failed connection. Nothing was done. `where` is the place of the server. */
export function notConnected(where: string, thrown: unknown): ProviderError {
  const state = sqlState(thrown);
  const code = state === undefined ? 'UNAVAILABLE' : statusOf(state);
  return new ProviderError(code, `cannot connect to PostgreSQL at ${where}: ${messageOf(thrown)}`, {
    cause: thrown,
  });
}

/**
 * Converts an error of a statement to the handler's error. A refusal becomes a `ProviderError`: nothing was done. A
 * broken connection leaves the effect of the statement unknown, so it remains a plain error, which leaves the object in
 * doubt. `task` names the attempted action, as in "create database shop".
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
  // If every address of a name was tried, the message is empty and only the code gives the reason.
  return thrown.message !== '' ? thrown.message : String((thrown as { code?: unknown }).code ?? thrown.name);
}
