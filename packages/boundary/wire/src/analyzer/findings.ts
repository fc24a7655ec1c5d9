import type { Analysis, Remediations } from '../contracts/analyzer.js';
import type * as pb from '../generated/pulumi/analyzer.js';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { LEVELS, SEVERITIES, wordOf } from './words.js';

/**
 * Converts the answers of packs from and to the wire. A level newer than ours counts as mandatory, so that it does not
 * slip through.
 */
export function decodeAnalysis({ diagnostics, notApplicable }: pb.AnalyzeResponse): Analysis {
  return {
    diagnostics: diagnostics.map((wire) => ({
      ...wire,
      enforcementLevel: wordOf(LEVELS, wire.enforcementLevel, 'mandatory'),
      severity: wordOf(SEVERITIES, wire.severity, 'unspecified'),
    })),
    notApplicable,
  };
}

export function encodeAnalysis({ diagnostics, notApplicable }: Analysis): pb.AnalyzeResponse {
  return {
    diagnostics: diagnostics.map((diagnostic) => ({
      ...diagnostic,
      enforcementLevel: LEVELS[diagnostic.enforcementLevel],
      severity: SEVERITIES[diagnostic.severity],
    })),
    notApplicable: [...notApplicable],
  };
}

export function decodeRemediations({ remediations, notApplicable }: pb.RemediateResponse): Remediations {
  return {
    remediations: remediations.map(({ properties, ...wire }) => ({
      ...wire,
      properties: decodeStruct(properties),
    })),
    notApplicable,
  };
}

export function encodeRemediations({ remediations, notApplicable }: Remediations): pb.RemediateResponse {
  return {
    remediations: remediations.map(({ properties, ...remediation }) => ({
      ...remediation,
      properties: encodeStruct(properties),
    })),
    notApplicable: [...notApplicable],
  };
}
