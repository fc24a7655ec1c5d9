import { makeUrn, ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { cairnError, errorDiagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { brokenPolicies } from '../../model/policy.js';
import type { Report } from '../../model/report.js';
import type { OperationRequest } from '../../model/request.js';
import { loadPacks } from '../../policy/load-packs.js';
import { Policies } from '../../policy/policies.js';
import type { AnalyzerLoader } from '../../ports.js';
import { Limiter } from '../limiter.js';
import type { Run } from '../run.js';

/** Policy packs that an operation must pass; none before they are loaded. */
export class PolicyPacks {
  #loaded: Policies | undefined;

  /** Loaded packs; `undefined` if there are none. */
  get loaded(): Policies | undefined {
    return this.#loaded;
  }

  /** Loads the packs, once, before anything is registered. Throws if one cannot be loaded [POL-1]. */
  async load({ request, report, recorder, peers }: Run): Promise<void> {
    const specs = request.policy.packs ?? [];
    if (request.kind !== 'up' || specs.length === 0) return;
    const loader = peers.analyzers;
    if (loader === undefined) throw cairnError('CAIRN-POLICY-PACK', 'policy packs cannot be run here');
    report.emit({ t: 'policies-loading' });
    const packs = await loadPacks(specs, analyzerStack(request), loader, (diagnostic) =>
      report.diagnostic(diagnostic),
    );
    report.policyPacks = Object.fromEntries(packs.map(({ info }) => [info.name, info.version]));
    const { analyses = 0 } = request.concurrency;
    const limiter = new Limiter(analyses > 0 ? analyses : Infinity);
    this.#loaded = new Policies({
      packs,
      entryOf: (urn) => recorder.live.live(urn)?.entry,
      emit: report.emit,
      limited: (work) => limiter.run(work),
    });
  }

  /** Asks the packs to end their running work. */
  cancel(): void {
    void this.#loaded?.cancel();
  }

  async close(): Promise<void> {
    await this.#loaded?.close();
  }
}

/** Lets the packs analyze the whole stack after everything has succeeded. Mandatory violations fail the run [POL-6]. */
export async function analyzeStack(
  policies: Policies,
  entries: readonly ResourceEntry[],
  registered: { readonly urn: Urn; readonly outputs: PropertyMap } | undefined,
  request: Pick<OperationRequest, 'identity' | 'preview'>,
  report: Report,
): Promise<void> {
  const outputsOf = (entry: ResourceEntry): PropertyMap =>
    (entry.urn === registered?.urn ? registered.outputs : entry.outputs) ?? emptyMap;
  const root = rootUrn(request);
  const mandatory = await policies.stack(entries, outputsOf, root);
  if (mandatory.length === 0) return;
  report.diagnostic(
    errorDiagnostic('CAIRN-POLICY-VIOLATION', `the stack ${brokenPolicies(mandatory)}`, {
      urn: root,
      hint: request.preview
        ? 'Change the program so that it complies with the policy.'
        : 'The changes were made. Change the program so that it complies with the policy, and run up again.',
    }),
  );
}

/** Returns the stack in the form that packs receive. */
export function analyzerStack({
  identity,
  preview,
  config,
}: Pick<OperationRequest, 'identity' | 'preview' | 'config'>): Parameters<AnalyzerLoader['load']>[1] {
  return {
    ...identity,
    dryRun: preview,
    config: config.values,
    configSecretKeys: config.secretKeys,
    tags: identity.tags ?? {},
  };
}

function rootUrn({ identity: { project, stack } }: Pick<OperationRequest, 'identity'>): Urn {
  return makeUrn({ project, stack, parent: undefined, type: ROOT_STACK_TYPE, name: `${project}-${stack}` });
}
