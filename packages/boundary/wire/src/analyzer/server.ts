import type { Analyzer } from '../contracts/analyzer.js';
import * as pb from '../generated/pulumi/analyzer.js';
import { decodeMap } from '@cairn/protobuf';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { encodeAnalysis, encodeRemediations } from './findings.js';
import { decodeSettings, encodeAnalyzerInfo } from './info.js';
import { decodeAnalyzedResource, decodeStackResource } from './resource.js';

/** Serves a policy pack. Handshakes are accepted and ignored: a served pack already knows its engine. */
export function analyzerService(analyzer: Analyzer): Service {
  return service(pb.AnalyzerDefinition, {
    handshake: async () => ({}),
    configureStack: async (wire) => {
      await analyzer.configureStack({ ...wire, config: decodeMap(wire.config), tags: decodeMap(wire.tags) });
      return {};
    },
    getPluginInfo: () => analyzer.getPluginInfo(),
    getAnalyzerInfo: async () => encodeAnalyzerInfo(await analyzer.getAnalyzerInfo()),
    configure: async ({ policyConfig }) => {
      await analyzer.configure(decodeMap(policyConfig, decodeSettings));
      return {};
    },
    remediate: async (wire) => encodeRemediations(await analyzer.remediate(decodeAnalyzedResource(wire))),
    analyze: async (wire) => encodeAnalysis(await analyzer.analyze(decodeAnalyzedResource(wire))),
    analyzeStack: async ({ resources }) =>
      encodeAnalysis(await analyzer.analyzeStack(resources.map(decodeStackResource))),
    cancel: async () => {
      await analyzer.cancel();
      return {};
    },
  });
}
