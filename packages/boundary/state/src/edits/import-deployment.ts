import { isUrn, urnParts } from '@cairn/addresses';
import type { Crypter } from '@cairn/crypters';
import { CairnError, errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkIntegrity } from '../document/integrity.js';
import { ValueEncoder } from '../values/encode-value.js';
import { decodeExtensions, usedExtensions } from '../snapshot/extension.js';
import {
  decodeOperation,
  decodeResource,
  encodeOperation,
  encodeResource,
} from '../snapshot/resource-codec.js';
import { emptyDeployment } from '../document/serialized.js';
import type {
  SecretsProviderRecord,
  SerializedDeployment,
  SerializedResource,
} from '../document/serialized.js';
import type { PendingOperation } from '../snapshot/snapshot.js';

/** Target of an import. */
export interface ImportTarget {
  readonly stack: string;
  /** Name of the document, for messages. */
  readonly source: string;
  readonly force: boolean;
  /** Skips the integrity check. */
  readonly skipIntegrity: boolean;
  /** Opens the secrets of the document. */
  readonly from: Crypter;
  /** Seals the secrets again. `secretsProvider` is written as the manager. */
  readonly to: Crypter;
  readonly secretsProvider: SecretsProviderRecord | undefined;
}

/** Deployment to store, and warnings for the user. */
interface ImportedDeployment {
  readonly deployment: SerializedDeployment;
  readonly warnings: readonly Diagnostic[];
}

const FORCE_HINT = 'Nothing was changed. Pass --force to import it anyway.';

/** Hint of a warning when a broken document is imported all the same. */
const REPAIR_HINT = 'Run `cairn state repair` to explain and repair it.';

/**
 * Returns the deployment to store for an import [STATE-10]. Checks the stack's name in every URN, and the integrity;
 * errors become warnings when forced. Pending operations are dropped with a warning each, every secret is sealed again,
 * and the manifest is kept. Uses up the document's list, so that two states of a large stack are never in memory at
 * once.
 */
export function importedDeployment(document: SerializedDeployment, target: ImportTarget): ImportedDeployment {
  const problems = [...stackProblems(document, target), ...integrityProblems(document, target)];
  if (problems.length > 0 && !target.force) throw new CairnError(refusals(problems, target));
  const { from, to, source, secretsProvider } = target;
  const encoder = new ValueEncoder(to);
  const sealed = document.resources as SerializedResource[];
  sealed.forEach((resource, index) => {
    sealed[index] = encodeResource(decodeResource(resource, from, source), encoder);
  });
  const pending = document.pendingOperations.map((operation) => decodeOperation(operation, from, source));
  const { manifest, snippets, extensions } = document;
  decodeExtensions(extensions, source);
  const warnings = [
    ...problems.map((problem): Diagnostic => ({ ...problem, severity: 'warning' })),
    ...pending.map(droppedOperation),
  ];
  return {
    deployment: {
      ...emptyDeployment,
      manifest,
      secretsProvider,
      resources: sealed,
      snippets,
      extensions: usedExtensions(extensions, sealed),
      byteStrings: encoder.byteStrings,
    },
    warnings,
  };
}

/** Returns the errors of a refused import. The last one carries the hint, which is about all of them. */
function refusals(problems: readonly Diagnostic[], { source }: ImportTarget): readonly Diagnostic[] {
  return problems.map(({ hint: _hint, ...problem }, index) => ({
    ...problem,
    summary: `cannot import ${source}: ${problem.summary}`,
    ...(index === problems.length - 1 ? { hint: FORCE_HINT } : {}),
  }));
}

/**
 * Returns the same deployment with secrets in the clear, for exports that show them [STATE-10]. Works resource by
 * resource, so that no second state is in memory.
 */
export function revealSecrets(
  deployment: SerializedDeployment,
  crypter: Crypter,
  source: string,
): SerializedDeployment {
  const encoder = new ValueEncoder(crypter, { showSecrets: true });
  return {
    ...deployment,
    resources: deployment.resources.map((resource) =>
      encodeResource(decodeResource(resource, crypter, source), encoder),
    ),
    pendingOperations: deployment.pendingOperations.map((operation) =>
      encodeOperation(decodeOperation(operation, crypter, source), encoder),
    ),
  };
}

/** Returns one problem for every resource of another stack; another project is allowed. */
function stackProblems(document: SerializedDeployment, target: ImportTarget): readonly Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (const { urn } of document.resources) {
    if (!isUrn(urn)) continue;
    const { stack } = urnParts(urn);
    if (stack === target.stack) continue;
    problems.push(
      errorDiagnostic(
        'CAIRN-STATE-INTEGRITY',
        `resource ${urn} belongs to stack "${stack}", not to "${target.stack}"`,
        { urn },
      ),
    );
  }
  return problems;
}

function integrityProblems(document: SerializedDeployment, target: ImportTarget): readonly Diagnostic[] {
  if (target.skipIntegrity) return [];
  const { failure, fault } = checkIntegrity(document, 'read');
  if (failure === undefined || fault === undefined) return [];
  return [{ ...failure, summary: `snapshot integrity failure: ${fault.problem}`, hint: REPAIR_HINT }];
}

function droppedOperation({ type, resource }: PendingOperation): Diagnostic {
  return warningDiagnostic('CAIRN-IN-DOUBT', `removing pending operation '${type}' on '${resource.urn}'`, {
    urn: resource.urn,
  });
}
