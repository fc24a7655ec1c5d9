import type { Diagnostic } from '@cairn/diagnostics';
import type { Finding, FindingCode, TfPath } from '@cairn/tfplugin';
import { findingAt, pathText, violation } from '@cairn/tfplugin';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { hasErrors } from '../client/diagnostics.js';
import type { Answered } from '../client/malformed.js';
import { Malformed } from '../client/malformed.js';
import type { AnsweredIdentity } from './connection.js';
import type { Identity } from './object-state.js';

/** What a call is about. */
export interface Subject {
  /** Type name of the provider, e.g. `random_pet`. */
  readonly type: string;
  /** How people know the object, for messages. */
  readonly address: string;
  /** Paths below which values are secret, whatever the schema says. */
  readonly masks?: readonly TfPath[];
}

/** What is told about a call that ended as it should. */
export interface Told {
  /** Warnings of the provider. */
  readonly warnings: readonly TfDiagnostic[];
  /** Where the answer is not quite what the contract says, for the log. */
  readonly notes: readonly Finding[];
}

/** A provider refused, or broke its contract. Nothing of what was asked for has been done unless it says so. */
export class TerraformFailure extends Error {
  override readonly name = 'TerraformFailure';

  constructor(
    readonly provider: string,
    readonly subject: Subject,
    /** Everything that the provider said, warnings too. */
    readonly diagnostics: readonly TfDiagnostic[],
    /** How it broke the contract. */
    readonly findings: readonly Finding[],
  ) {
    super(failureText(provider, subject, diagnostics, findings));
  }

  /** The violations as users are told. */
  violations(): readonly Diagnostic[] {
    return this.findings.map((each) => violation(this.provider, this.subject.address, each));
  }
}

/** The text of a diagnostic; what it is about stands in front. */
export function diagnosticText({ summary, detail, path = [] }: TfDiagnostic): string {
  const place = path.length === 0 ? '' : `${pathText(path)}: `;
  return detail === '' || detail === summary ? `${place}${summary}` : `${place}${summary}: ${detail}`;
}

function failureText(
  provider: string,
  subject: Subject,
  diagnostics: readonly TfDiagnostic[],
  findings: readonly Finding[],
): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(diagnosticText);
  const broken = findings.map((each) => violation(provider, subject.address, each).summary);
  return [...errors, ...broken].join('\n');
}

/** Judges the answers to calls about one object. */
export class Judge {
  constructor(
    readonly provider: string,
    readonly subject: Subject,
  ) {}

  /** Fails when some diagnostic is an error; gives the warnings. */
  said(diagnostics: readonly TfDiagnostic[]): readonly TfDiagnostic[] {
    if (hasErrors(diagnostics)) throw this.failure(diagnostics, []);
    return diagnostics;
  }

  /** Fails when there are findings. */
  found(findings: readonly Finding[], diagnostics: readonly TfDiagnostic[] = []): void {
    if (findings.length > 0) throw this.failure(diagnostics, findings);
  }

  /** Fails with one finding. */
  broken(code: FindingCode, path: TfPath = [], diagnostics: readonly TfDiagnostic[] = []): never {
    throw this.failure(diagnostics, [findingAt(path, code)]);
  }

  /** The value of an answer; fails with this finding where it is not of its type. */
  value(
    answered: Answered,
    code: FindingCode,
    diagnostics: readonly TfDiagnostic[] = [],
  ): Exclude<Answered, Malformed> {
    if (!(answered instanceof Malformed)) return answered;
    const about = { severity: 'error', summary: answered.reason, detail: '', path: answered.path } as const;
    throw this.failure([...diagnostics, about], [findingAt(answered.path, code)]);
  }

  /** The identity of an answer; fails where it is not what it has to be. */
  identity({ identity, findings }: AnsweredIdentity): Identity | undefined {
    this.found(findings);
    return identity;
  }

  failure(diagnostics: readonly TfDiagnostic[], findings: readonly Finding[]): TerraformFailure {
    return new TerraformFailure(this.provider, this.subject, diagnostics, findings);
  }
}
