import type { AuditEvent } from './audit.js';

/** Formats in which the audit log is exported. */
export const AUDIT_FORMATS = ['csv', 'cef'] as const;

/** Format of an export. */
type AuditFormat = (typeof AUDIT_FORMATS)[number];

const COLUMNS = [
  ['timestamp', ({ at }: AuditEvent) => new Date(at * 1000).toISOString()],
  ['event', ({ event }: AuditEvent) => event],
  ['description', ({ description }: AuditEvent) => description],
  ['user', ({ user }: AuditEvent) => user],
  ['stack', ({ stack }: AuditEvent) => stack],
  ['sourceIP', ({ sourceIp }: AuditEvent) => sourceIp],
  ['tokenID', ({ tokenId }: AuditEvent) => tokenId],
  ['tokenName', ({ tokenName }: AuditEvent) => tokenName],
  ['organization', ({ organization }: AuditEvent) => organization],
] as const;

/** Returns the first line of an export, or nothing for a format that has none. */
export function auditHead(format: AuditFormat): string {
  return format === 'csv' ? `${COLUMNS.map(([name]) => name).join(',')}\n` : '';
}

/** Returns an event as a line of an export. */
export function auditLine(format: AuditFormat, event: AuditEvent): string {
  return format === 'csv' ? csvLine(event) : cefLine(event);
}

function csvLine(event: AuditEvent): string {
  return `${COLUMNS.map(([, valueOf]) => csvCell(valueOf(event))).join(',')}\n`;
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function csvCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Common Event Format, version 0. */
function cefLine(event: AuditEvent): string {
  const fields = [
    ['rt', String(event.at * 1000)],
    ['suser', event.user],
    ['src', event.sourceIp],
    ['msg', event.description],
    ['cs1Label', 'stack'],
    ['cs1', event.stack],
    ['cs2Label', 'tokenName'],
    ['cs2', event.tokenName],
    ['cs3Label', 'organization'],
    ['cs3', event.organization],
  ] as const;
  const extension = fields
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${value.replace(/[\\=]/g, '\\$&').replace(/\r?\n/g, '\\n')}`);
  const head = ['CEF:0', 'Cairn', 'state service', '1', event.event, event.description, '3'];
  const escaped = head.map((text) => text.replace(/[\\|]/g, '\\$&').replace(/[\r\n]+/g, ' '));
  return `${escaped.join('|')}|${extension.join(' ')}\n`;
}
