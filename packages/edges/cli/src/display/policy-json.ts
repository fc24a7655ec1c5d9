import type { EngineEvent, PolicySummary } from '@cairn/engine';
import { blindingCrypter, nopCrypter } from '@cairn/crypters';
import { ValueEncoder, goStruct } from '@cairn/state';
import type { JsonObject } from '@cairn/state';
import { isEmptyMap } from '@cairn/values';
import { stripMarkup } from '../terminal/paint.js';
import { withoutContents } from './elided-contents.js';
import type { EventJsonStyle } from './display.js';

type PolicyEvent = Extract<EngineEvent, { readonly t: `polic${string}` }>;

/** Returns policy events in the exchange format [EVT-2]. */
export function policyEventJson(event: PolicyEvent, style: EventJsonStyle): JsonObject {
  switch (event.t) {
    case 'policies-loading':
      return { policyLoadEvent: {} };
    case 'policy-violation': {
      const { urn, policyName, message, level, severity } = event.violation;
      return {
        policyEvent: goStruct({
          ...(urn === undefined || urn === '' ? {} : { resourceUrn: urn }),
          message: stripMarkup(message),
          color: 'never',
          policyName,
          ...packJson(event.violation),
          enforcementLevel: level,
          ...(severity === 'unspecified' ? {} : { severity }),
        }),
      };
    }
    case 'policy-remediation': {
      const encoder = new ValueEncoder(style.showSecrets ? nopCrypter : blindingCrypter, {
        showSecrets: style.showSecrets,
      });
      const { urn, policyName, before, after } = event;
      return {
        policyRemediationEvent: goStruct({
          resourceUrn: urn,
          color: 'never',
          policyName,
          ...packJson(event),
          ...(isEmptyMap(before) ? {} : { before: encoder.map(withoutContents(before)) }),
          ...(isEmptyMap(after) ? {} : { after: encoder.map(withoutContents(after)) }),
        }),
      };
    }
    case 'policy-summary': {
      const { urn, summary } = event;
      return {
        [SUMMARY_WORDS[event.of]]: goStruct({
          ...(urn === undefined ? {} : { resourceUrn: urn }),
          ...packJson(summary),
          ...outcomeJson(summary),
        }),
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
