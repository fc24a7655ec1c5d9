import type { Analyzer, AnalyzerStack } from '@cairn/wire';
import { analyzerService } from '@cairn/wire/analyzer-server';
import { startServer } from '@cairn/wire/server';

/** Policy pack for tests. Its description of itself contains what it knows of its environment. */
const found = { diagnostics: [], notApplicable: [] };
let stack: AnalyzerStack | undefined;
const pack: Analyzer = {
  configureStack: async (request) => void (stack = request),
  getPluginInfo: async () => ({ version: '0.0.1' }),
  getAnalyzerInfo: async () => ({
    name: 'tested',
    displayName: '',
    description: JSON.stringify({
      stack,
      args: process.argv.slice(2),
      pid: process.pid,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PULUMI_'))),
    }),
    version: '0.0.1',
    supportsConfig: false,
    policies: [],
    initialConfig: {},
  }),
  configure: async () => undefined,
  remediate: async () => ({ remediations: [], notApplicable: [] }),
  analyze: async () => found,
  analyzeStack: async () => found,
  cancel: async () => undefined,
  close: async () => undefined,
};

const { address } = await startServer({ services: [analyzerService(pack)] });
process.stdout.write(`${address.split(':').at(-1)}\n`);
