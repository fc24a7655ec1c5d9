import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { StatusError } from '@cairn/wire';
import type { ResourceStatus } from '@cairn/wire';
import { brokenByResource } from '../model/policy.js';
import type { PolicyPackSpec } from '../model/policy.js';
import { Report } from '../model/report.js';
import type { OperationRequest } from '../model/request.js';
import { engineAddresses, serveEngine } from '../monitor/serve-engine.js';
import { loadPacks } from '../policy/load-packs.js';
import { Policies } from '../policy/policies.js';
import type { AnalyzerLoader, EnginePorts } from '../ports.js';
import { Limiter, atATime } from './limiter.js';
import { analyzeStack, analyzerStack } from './phases/policies.js';

/** A state for policy packs to analyze, without an operation. */
interface StateAnalysis extends Pick<OperationRequest, 'identity' | 'config'> {
  readonly entries: readonly ResourceEntry[];
  readonly packs: readonly PolicyPackSpec[];
  /** Analyses at a time; 0 means no limit. */
  readonly analyses: number;
}

/** Ports of an analysis: it runs no step and asks no provider. */
type AnalysisPorts = Pick<EnginePorts, 'providers' | 'onServing' | 'calls' | 'debugged' | 'emit'> & {
  readonly analyzers: AnalyzerLoader;
  /** Ends the analysis, and cancels the work of the packs. Optional. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Runs policy packs over the entries of a state, resource by resource and then as a whole [POL-9]. Remediations are
 * events only. Returns an error for each resource, and for the stack, that breaks mandatory policies. Throws
 * CAIRN-POLICY-PACK if a pack cannot be loaded or asked, and CAIRN-CANCELLED once the signal is aborted.
 */
export async function analyzeState(
  { entries, packs: specs, analyses, ...about }: StateAnalysis,
  ports: AnalysisPorts,
): Promise<readonly Diagnostic[]> {
  const report = new Report(ports.emit);
  const request = { ...about, preview: true };
  const present = entries.filter((entry) => !entry.delete && !entry.pendingReplacement);
  const byUrn = new Map(present.map((entry) => [entry.urn, entry]));
  const served = await serveEngine(ports, NO_VIEWS);
  try {
    ports.onServing?.(engineAddresses(served));
    ports.emit({ t: 'policies-loading' });
    const tell = (diagnostic: Diagnostic): void => report.diagnostic(diagnostic);
    const packs = await untilAborted(ports.signal, () =>
      loadPacks(specs, analyzerStack(request), ports.analyzers, tell),
    );
    const limiter = new Limiter(atATime(analyses));
    const policies = new Policies({
      packs,
      entryOf: (urn) => byUrn.get(urn),
      emit: ports.emit,
      limited: (work) => limiter.run(work),
    });
    const cancel = (): void => void policies.cancel();
    ports.signal?.addEventListener('abort', cancel);
    try {
      await untilAborted(ports.signal, async () => {
        for (const entry of present)
          for (const diagnostic of brokenByResource(entry.urn, await policies.entry(entry)))
            report.diagnostic(diagnostic);
        await analyzeStack(policies, present, undefined, request, report);
      });
    } finally {
      ports.signal?.removeEventListener('abort', cancel);
      await policies.close();
    }
  } finally {
    await served.close();
  }
  return report.diagnostics;
}

/** Runs the work. Rejects with CAIRN-CANCELLED as soon as the signal is aborted, whether or not the work ends. */
function untilAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work();
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(cairnError('CAIRN-CANCELLED', 'interrupted: nothing was changed'));
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

const NO_VIEWS: ResourceStatus = {
  publishViewSteps: () => Promise.reject(new StatusError('FAILED_PRECONDITION', 'no step runs')),
};
