import type { Diagnostic } from '@cairn/diagnostics';
import type { ContractFinding, FindingCode, TfPath } from '@cairn/tfplugin';
import { findingAt, pathText, violation } from '@cairn/tfplugin';
import type { TfDiagnostic } from '../client/diagnostics.js';
import { hasErrors } from '../client/diagnostics.js';
import type { ReceivedValue } from '../client/malformed.js';
import { Malformed } from '../client/malformed.js';
import type { AnsweredIdentity } from './connection.js';
import type { Identity } from './object-state.js';

/** Subject of a call. */
export interface Subject {
  /** The provider's type name, for example `random_pet`. */
  readonly type: string;
  /** The object's name in messages. */
  readonly address: string;
  /** Paths below which values are secret, regardless of the schema. */
  readonly masks?: readonly TfPath[];
}

/** Messages about a successful call. */
export interface Told {
  /** Warnings of the provider. */
  readonly warnings: readonly TfDiagnostic[];
  /** Deviations of the answer from the contract, for the log. */
  readonly notes: readonly ContractFinding[];
}

/** A provider refused, or broke its contract. Nothing of the request was done unless the failure states it. */
export class TerraformFailure extends Error {
  override readonly name = 'TerraformFailure';

  constructor(
    readonly provider: string,
    readonly subject: Subject,
    /** All diagnostics of the provider, including warnings. */
    readonly diagnostics: readonly TfDiagnostic[],
    /** Violations of the contract. */
    readonly findings: readonly ContractFinding[],
  ) {
    super(failureText(provider, subject, diagnostics, findings));
  }

  /** Returns the violations in the form shown to users. */
  violations(): readonly Diagnostic[] {
    return this.findings.map((each) => violation(this.provider, this.subject.address, each));
  }
}

/** Returns the text of a diagnostic, preceded by its place. */
export function diagnosticText({ summary, detail, path = [] }: TfDiagnostic): string {
  const place = path.length === 0 ? '' : `${pathText(path)}: `;
  return detail === '' || detail === summary ? `${place}${summary}` : `${place}${summary}: ${detail}`;
}

function failureText(
  provider: string,
  subject: Subject,
  diagnostics: readonly TfDiagnostic[],
  findings: readonly ContractFinding[],
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

  /** Fails if any diagnostic is an error; returns the warnings. */
  said(diagnostics: readonly TfDiagnostic[]): readonly TfDiagnostic[] {
    if (hasErrors(diagnostics)) throw this.failure(diagnostics, []);
    return diagnostics;
  }

  /** Fails if there are findings. */
  found(findings: readonly ContractFinding[], diagnostics: readonly TfDiagnostic[] = []): void {
    if (findings.length > 0) throw this.failure(diagnostics, findings);
  }

  /** Fails with one finding. */
  broken(code: FindingCode, path: TfPath = [], diagnostics: readonly TfDiagnostic[] = []): never {
    throw this.failure(diagnostics, [findingAt(path, code)]);
  }

  /** Returns the value of an answer. Fails with this finding if it does not have its type. */
  value(
    answered: ReceivedValue,
    code: FindingCode,
    diagnostics: readonly TfDiagnostic[] = [],
  ): Exclude<ReceivedValue, Malformed> {
    if (!(answered instanceof Malformed)) return answered;
    const about = { severity: 'error', summary: answered.reason, detail: '', path: answered.path } as const;
    throw this.failure([...diagnostics, about], [findingAt(answered.path, code)]);
  }

  /** Returns the identity of an answer. Fails if it is invalid. */
  identity({ identity, findings }: AnsweredIdentity): Identity | undefined {
    this.found(findings);
    return identity;
  }

  failure(diagnostics: readonly TfDiagnostic[], findings: readonly ContractFinding[]): TerraformFailure {
    return new TerraformFailure(this.provider, this.subject, diagnostics, findings);
  }
}
