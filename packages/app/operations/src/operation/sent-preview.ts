import { isCairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { EngineEvent } from '@cairn/engine';
import { maskEvent } from '../masking/mask-secrets.js';
import { originOf } from '../origin/origin.js';
import { tell } from '../ports.js';
import type { RequestedOperation } from './operation.js';
import type { ShownPreview } from './pass.js';
import { historyConfig } from './prepared.js';
import type { Prepared } from './prepared.js';
import { resourceChanges } from './resource-changes.js';
import { HISTORY_KINDS, programOf } from './run-recorded.js';
import { stepFacts } from './step-facts.js';

/**
 * Collects the events of a preview for the service of the stack: steps that change something, verdicts of policies, and
 * what providers say about resources during a refresh, such as who changed one. Steps have no values, because a service
 * that shows plans needs none.
 */
export class PreviewEvents {
  readonly #bodies: object[] = [];
  readonly #prepared: Prepared;
  readonly #operation: RequestedOperation;

  constructor(prepared: Prepared, operation: RequestedOperation) {
    this.#prepared = prepared;
    this.#operation = operation;
  }

  readonly take = (event: EngineEvent): void => {
    if (event.t === 'policy-violation') {
      const { violation } = maskEvent(event, this.#prepared.mask.mask) as typeof event;
      const { urn, message, policyName, packName, packVersion, level } = violation;
      this.#bodies.push({
        policyEvent: {
          ...(urn !== undefined && urn !== '' && { resourceUrn: urn }),
          ...{ message, policyName, policyPackName: packName, policyPackVersion: packVersion },
          enforcementLevel: level,
        },
      });
    } else if (event.t === 'diagnostic') this.#takeMessage(event);
    else if (event.t === 'step-started' && event.step.kind !== 'same' && event.step.kind !== 'refresh')
      this.#bodies.push({ resourcePreEvent: { metadata: stepFacts(event.step, false), planning: true } });
    else if (event.t === 'step-ended' && (event.step.refreshResult ?? 'same') !== 'same') {
      const metadata = stepFacts(event.step, this.#operation.kind === 'refresh');
      this.#bodies.push({ resOutputsEvent: { metadata, planning: true } });
    }
  };

  #takeMessage(event: Extract<EngineEvent, { t: 'diagnostic' }>): void {
    if (this.#operation.kind !== 'refresh' || event.ephemeral) return;
    const { diagnostic } = maskEvent(event, this.#prepared.mask.mask) as typeof event;
    const { urn, severity, summary: message } = diagnostic;
    if (urn !== undefined && severity === 'info')
      this.#bodies.push({ diagnosticEvent: { urn, severity, message } });
  }

  /**
   * Sends the preview, and resolves with the address of its page, if it has one. A service that takes none from this
   * user keeps none; any other failure is a warning.
   */
  readonly send = async ({
    status,
    result,
  }: Pick<ShownPreview, 'status' | 'result'>): Promise<string | undefined> => {
    const { backend, id, ports, program, config } = this.#prepared;
    const { kind, options } = this.#operation;
    const { known } = originOf(program.rootDirectory, ports.env);
    const { summary } = result;
    const summaryEvent = {
      ...{ maybeCorrupt: false, durationSeconds: Math.ceil(summary.durationMs / 1000) },
      ...{ resourceChanges: resourceChanges(summary), PolicyPacks: { ...summary.policyPacks } },
      ...{ isPreview: true, result: summary.result },
    };
    try {
      return await backend.service?.sendPreview(id, {
        start: {
          ...{ kind: HISTORY_KINDS[kind], message: options.message ?? known.title ?? '' },
          ...{ environment: { ...known.environment, ...ports.started.recorded } },
          ...{ config: historyConfig(config), program: programOf(this.#prepared) },
        },
        events: [...this.#bodies, { summaryEvent }],
        succeeded: status === 'succeeded' || status === 'unexpected-changes',
      });
    } catch (thrown) {
      if (!isCairnError(thrown)) throw thrown;
      const code = thrown.diagnostics[0]?.code ?? 'CAIRN-STORE-FAILED';
      if (code === 'CAIRN-STORE-DENIED') return undefined;
      const causes = [this.#prepared.mask.mask(messageOf(thrown))];
      tell(ports, [warningDiagnostic(code, 'the preview was not sent to the service', { causes })]);
      return undefined;
    }
  };
}
