import { urnName, urnType } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import { shortType } from './short-type.js';

/** Returns the URN of the resource that a diagnostic is about. Undefined if it is about none. */
export function aboutUrn({ urn }: Pick<Diagnostic, 'urn'>): Urn | undefined {
  return urn === '' ? undefined : urn;
}

/** Returns a resource by its name and type. */
export function resourceWords(urn: Urn): string {
  return `${urnName(urn)} (${shortType(urnType(urn))})`;
}

/** Returns the resource that a diagnostic is about, or its code if it is about none. */
export function subjectWords(diagnostic: Pick<Diagnostic, 'urn' | 'code'>): string {
  const urn = aboutUrn(diagnostic);
  return urn === undefined ? diagnostic.code : resourceWords(urn);
}

/** Returns the line of the program that a diagnostic is about, such as `index.ts:3`. */
export function lineWords({ source }: Pick<Diagnostic, 'source'>): string | undefined {
  return source && `${source.file}:${source.line ?? 1}`;
}

/** Returns summary, causes and hint, each as one text. */
export function diagnosticTexts({ summary, causes = [], hint }: Diagnostic): readonly string[] {
  return [summary, ...causes, ...(hint === undefined ? [] : [`hint: ${hint}`])];
}
