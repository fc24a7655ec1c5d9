import { propertyMap, secret, UNKNOWN } from '@cairn/values';
import { TRANSPORTS, withLoopback } from '../../test/loopback.js';
import type { AnalyzedResource, Analyzer } from '../contracts/analyzer.js';
import { StatusError } from '../contracts/status.js';
import * as pb from '../generated/pulumi/analyzer.js';
import { service } from '../rpc/service.js';
import { AnalyzerClient } from './client.js';
import { decodeAnalysis } from './findings.js';
import { analyzerService } from './server.js';

const resource: AnalyzedResource = {
  urn: 'urn:pulumi:s::p::pkg:m:t::a',
  type: 'pkg:m:t',
  name: 'a',
  properties: propertyMap({ size: 1, key: secret('x'), later: UNKNOWN, __internal: true }),
  options: {
    protect: true,
    ignoreChanges: ['size'],
    deleteBeforeReplace: false,
    additionalSecretOutputs: ['key'],
    aliases: ['urn:pulumi:s::p::pkg:m:t::b'],
    customTimeouts: { create: 1.5, update: 0, delete: 60, read: 0 },
    parent: 'urn:pulumi:s::p::pulumi:pulumi:Stack::p-s',
  },
  provider: {
    urn: 'urn:pulumi:s::p::pulumi:providers:pkg::default',
    type: 'pulumi:providers:pkg',
    name: 'default',
    properties: propertyMap({ version: '1.0.0' }),
  },
};

function pack(overrides: Partial<Analyzer>): Analyzer {
  const unexpected = async (): Promise<never> => {
    throw new Error('not expected');
  };
  return {
    configureStack: unexpected,
    getPluginInfo: unexpected,
    getAnalyzerInfo: unexpected,
    configure: unexpected,
    remediate: unexpected,
    analyze: unexpected,
    analyzeStack: unexpected,
    cancel: unexpected,
    close: unexpected,
    ...overrides,
  };
}

const diagnostic = {
  policyName: 'no-big',
  policyPackName: 'pack',
  policyPackVersion: '1.0.0',
  description: 'd',
  message: 'm',
  enforcementLevel: 'remediate' as const,
  urn: '',
  severity: 'critical' as const,
};

test.each(TRANSPORTS)('%s: everything a pack is asked and answers arrives (G)', async (transport) => {
  const heard: unknown[] = [];
  const analyzer = pack({
    configureStack: async (request) => void heard.push(request),
    configure: async (settings) => void heard.push(settings),
    getAnalyzerInfo: async () => ({
      name: 'pack',
      displayName: 'Pack',
      description: 'all',
      version: '1.0.0',
      supportsConfig: true,
      initialConfig: { 'no-big': { enforcementLevel: 'disabled', properties: propertyMap({ max: 3 }) } },
      policies: [
        {
          name: 'no-big',
          displayName: '',
          description: 'd',
          message: 'm',
          enforcementLevel: 'mandatory',
          severity: 'high',
          type: 'resource',
          configSchema: { properties: propertyMap({ max: { type: 'number' } }), required: ['max'] },
        },
      ],
    }),
    remediate: async (asked) => {
      heard.push(asked);
      const { policyName, policyPackName, policyPackVersion, description } = diagnostic;
      const named = { policyName, policyPackName, policyPackVersion, description };
      return {
        remediations: [{ ...named, properties: propertyMap({ size: 2, key: secret('x') }), diagnostic: '' }],
        notApplicable: [{ policyName: 'other', reason: 'r' }],
      };
    },
    analyze: async (asked) => {
      heard.push(asked);
      return { diagnostics: [diagnostic], notApplicable: [] };
    },
    analyzeStack: async (asked) => {
      heard.push(asked);
      return { diagnostics: [], notApplicable: [{ policyName: 'x', reason: '' }] };
    },
    cancel: async () => void heard.push('cancel'),
  });
  await withLoopback([analyzerService(analyzer)], transport, async (caller) => {
    const client = new AnalyzerClient(caller);
    const stack = {
      organization: 'o',
      project: 'p',
      stack: 's',
      dryRun: true,
      config: { 'p:a': '1' },
      configSecretKeys: ['p:a'],
      tags: { t: 'v' },
    };
    await client.handshake({ engineAddress: '127.0.0.1:1', directory: '/pack' });
    await client.configureStack(stack);
    const info = await client.getAnalyzerInfo();
    await client.configure(info.initialConfig);
    const corrected = await client.remediate(resource);
    const found = await client.analyze(resource);
    const inStack = {
      ...resource,
      parent: resource.options.parent,
      dependencies: [resource.urn],
      propertyDependencies: { size: [resource.urn], key: [] },
    };
    const overall = await client.analyzeStack([inStack]);
    await client.cancel();
    const { __internal: _, ...shown } = resource.properties;
    expect(heard).toEqual([
      stack,
      { 'no-big': { enforcementLevel: 'disabled', properties: { max: 3 } } },
      resource,
      { ...resource, properties: shown },
      [{ ...inStack, properties: shown, propertyDependencies: { size: [resource.urn] } }],
      'cancel',
    ]);
    expect(info.policies[0]).toMatchObject({
      type: 'resource',
      severity: 'high',
      enforcementLevel: 'mandatory',
    });
    expect(info.policies[0]?.configSchema).toEqual({
      properties: { max: { type: 'number' } },
      required: ['max'],
    });
    expect(corrected.remediations[0]?.properties).toEqual({ size: 2, key: secret('x') });
    expect(corrected.notApplicable).toEqual([{ policyName: 'other', reason: 'r' }]);
    expect(found.diagnostics).toEqual([diagnostic]);
    expect(overall.notApplicable).toHaveLength(1);
  });
});

test('what older packs do not have is no error; analyze must be there (G)', async () => {
  const missing = service(pb.AnalyzerDefinition, {});
  await withLoopback([missing], 'unary', async (caller) => {
    const client = new AnalyzerClient(caller);
    await client.handshake({ engineAddress: '', directory: '/' });
    await client.cancel();
    expect(await client.remediate(resource)).toEqual({ remediations: [], notApplicable: [] });
    expect(await client.analyzeStack([])).toEqual({ diagnostics: [], notApplicable: [] });
    await expect(client.analyze(resource)).rejects.toBeInstanceOf(StatusError);
  });
});

test('a level of a newer protocol counts as mandatory', () => {
  const wire = { ...diagnostic, enforcementLevel: 9, severity: 77 } as unknown as pb.AnalyzeDiagnostic;
  const { diagnostics } = decodeAnalysis({ diagnostics: [wire], notApplicable: [] });
  expect(diagnostics[0]).toMatchObject({ enforcementLevel: 'mandatory', severity: 'unspecified' });
});

test('closing ends the process once', async () => {
  let closed = 0;
  await withLoopback([], 'unary', async (caller) => {
    const client = new AnalyzerClient(caller, { onClose: async () => void (closed += 1) });
    await Promise.all([client.close(), client.close()]);
  });
  expect(closed).toBe(1);
});
