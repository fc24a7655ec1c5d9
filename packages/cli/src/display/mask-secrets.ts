import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent } from '@cairn/engine';
import { SECRET_TEXT } from './value-text.js';

/** Shorter secrets are in too many words to be told from them. */
const SHORTEST = 3;

/** Lines and disguises of a secret that are shorter may be anything. */
const SHORTEST_PART = 8;

/**
 * Puts `[secret]` where a secret stands in a text, as it is or in a form that messages give to texts; undefined when there is nothing to look
 * for.
 */
export function secretMask(secrets: readonly string[]): ((text: string) => string) | undefined {
  const long = [...new Set(secrets.map((secret) => secret.trim()))]
    .filter((secret) => secret.length >= SHORTEST)
    .flatMap((secret) => [secret, ...disguises(secret)])
    .filter((form, index, all) => all.indexOf(form) === index)
    .sort((a, b) => b.length - a.length);
  if (long.length === 0) return undefined;
  return (text) => long.reduce((masked, secret) => masked.replaceAll(secret, SECRET_TEXT), text);
}

/** A secret's lines, which are shown one by one, and what JSON, URLs and base64 make of it. */
function disguises(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const parts = [
    ...secret.split(/\r?\n/).map((line) => line.trim()),
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  return parts.filter((part) => part.length >= SHORTEST_PART);
}

/** The event with secrets masked in what a program, a provider or a policy pack wrote; values carry their own mark and are left alone. */
export function maskEvent(event: EngineEvent, mask: (text: string) => string): EngineEvent {
  if (event.t === 'program-output') return { ...event, text: mask(event.text) };
  if (event.t === 'diagnostic') return { ...event, diagnostic: maskDiagnostic(event.diagnostic, mask) };
  if (event.t === 'policy-violation') {
    const { violation } = event;
    return { ...event, violation: { ...violation, message: mask(violation.message) } };
  }
  return event;
}

function maskDiagnostic(diagnostic: Diagnostic, mask: (text: string) => string): Diagnostic {
  return {
    ...diagnostic,
    summary: mask(diagnostic.summary),
    ...(diagnostic.causes === undefined ? {} : { causes: diagnostic.causes.map(mask) }),
  };
}
