import type { AnalyzerInfo, PolicyInfo, PolicySettings } from '../contracts/analyzer.js';
import * as pb from '../generated/pulumi/analyzer.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { decodeStruct, encodeStruct } from '../values/index.js';
import { LEVELS, SEVERITIES, TYPES, wordOf } from './words.js';

/** Converts a pack's description of itself from and to the wire. Unknown levels count as advisory. */
export function decodeAnalyzerInfo(wire: pb.AnalyzerInfo): AnalyzerInfo {
  const { name, displayName, description, version, supportsConfig } = wire;
  return {
    name,
    displayName,
    description,
    version,
    supportsConfig,
    policies: wire.policies.map(decodePolicy),
    initialConfig: decodeMap(wire.initialConfig, decodeSettings),
  };
}

export function encodeAnalyzerInfo(info: AnalyzerInfo): pb.AnalyzerInfo {
  const { name, displayName, description, version, supportsConfig } = info;
  return pb.AnalyzerInfo.fromPartial({
    name,
    displayName,
    description,
    version,
    supportsConfig,
    policies: info.policies.map(encodePolicy),
    initialConfig: encodeAllSettings(info.initialConfig),
  });
}

/** Encodes settings by policy for the wire. */
export function encodeAllSettings(
  settings: Readonly<Record<string, PolicySettings>>,
): Map<string, pb.PolicyConfig> {
  return encodeMap(settings, ({ enforcementLevel, properties }) => ({
    enforcementLevel: LEVELS[enforcementLevel],
    properties: encodeStruct(properties),
  }));
}

export function decodeSettings({ enforcementLevel, properties }: pb.PolicyConfig): PolicySettings {
  return {
    enforcementLevel: wordOf(LEVELS, enforcementLevel, 'advisory'),
    properties: decodeStruct(properties),
  };
}

function decodePolicy(wire: pb.PolicyInfo): PolicyInfo {
  const { name, displayName, description, message, configSchema } = wire;
  return {
    name,
    displayName,
    description,
    message,
    enforcementLevel: wordOf(LEVELS, wire.enforcementLevel, 'advisory'),
    severity: wordOf(SEVERITIES, wire.severity, 'unspecified'),
    type: wordOf(TYPES, wire.policyType, 'unknown'),
    configSchema: configSchema && {
      properties: decodeStruct(configSchema.properties),
      required: configSchema.required,
    },
  };
}

function encodePolicy(policy: PolicyInfo): pb.PolicyInfo {
  const { name, displayName, description, message, configSchema } = policy;
  return pb.PolicyInfo.fromPartial({
    name,
    displayName,
    description,
    message,
    enforcementLevel: LEVELS[policy.enforcementLevel],
    severity: SEVERITIES[policy.severity],
    policyType: TYPES[policy.type],
    ...(configSchema && {
      configSchema: {
        properties: encodeStruct(configSchema.properties),
        required: [...configSchema.required],
      },
    }),
  });
}
