import type { EngineEvent, PolicySummary } from '@cairn/engine';
import { blindingCrypter, nopCrypter } from '@cairn/crypters';
import { ValueEncoder } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { stripEscapes } from '../terminal/paint.js';
import type { EventJsonStyle } from './event-json.js';

type PolicyEvent = Extract<EngineEvent, { readonly t: `polic${string}` }>;

/** Policy events in the exchange format (state.md 8.1). */
export function policyEventJson(event: PolicyEvent, style: EventJsonStyle): JsonObject {
  switch (event.t) {
    case 'policies-loading':
      return { policyLoadEvent: {} };
    case 'policy-violation': {
      const { urn, policyName, message, level, severity } = event.violation;
      return {
        policyEvent: {
          resourceUrn: urn,
          message: stripEscapes(message),
          color: 'never',
          policyName,
          ...packJson(event.violation),
          enforcementLevel: level,
          ...(severity === 'unspecified' ? {} : { severity }),
        },
      };
    }
    case 'policy-remediation': {
      const encoder = new ValueEncoder(style.showSecrets ? nopCrypter : blindingCrypter, style);
      const { urn, policyName, before, after } = event;
      return {
        policyRemediationEvent: {
          resourceUrn: urn,
          color: 'never',
          policyName,
          ...packJson(event),
          before: encoder.map(before),
          after: encoder.map(after),
        },
      };
    }
    case 'policy-summary': {
      const { urn, summary } = event;
      return {
        [SUMMARY_WORDS[event.of]]: {
          ...(urn === undefined ? {} : { resourceUrn: urn }),
          ...packJson(summary),
          ...outcomeJson(summary),
        },
      };
    }
  }
}

const SUMMARY_WORDS = {
  analyze: 'policyAnalyzeSummaryEvent',
  remediate: 'policyRemediateSummaryEvent',
  'analyze-stack': 'policyAnalyzeStackSummaryEvent',
} as const satisfies Record<Extract<PolicyEvent, { t: 'policy-summary' }>['of'], string>;

function packJson({ packName, packVersion }: { packName: string; packVersion: string }): JsonObject {
  return { policyPackName: packName, policyPackVersion: packVersion, policyPackVersionTag: packVersion };
}

function outcomeJson({ passed, failed }: PolicySummary): JsonObject {
  return {
    ...(passed.length === 0 ? {} : { passed: [...passed] }),
    ...(failed.length === 0 ? {} : { failed: [...failed] }),
  };
}
