import { setTimeout as pause } from 'node:timers/promises';
import { cairnError } from '@cairn/diagnostics';
import type { Ports } from '@cairn/operations/stacks';
import { openWorkshop } from './open-provider.js';
import type { TestPlan } from './plan.js';
import type { ProviderReport } from './report.js';
import { planSkeleton, schemaOfProvider } from './schema.js';
import { checkProvider } from './test-provider.js';

/** Options of a provider test, and its listeners. */
interface ProviderTestOptions {
  /** Seconds that a call may take. */
  readonly callSeconds: number;
  /** Seconds that a cancelled provider may take. */
  readonly cancelSeconds: number;
  readonly onProgress: (what: string) => void;
  /** Receives messages of the provider to the user. */
  readonly onMessage: (text: string) => void;
}

type TestSurroundings = Pick<Ports, 'env' | 'cwd' | 'packageRoots'>;

/** Tests the promises of a provider (a name, a path or a command) with the values of a plan. Leaves no process. */
export async function runProviderTest(
  given: string,
  plan: TestPlan,
  ports: TestSurroundings,
  { callSeconds, cancelSeconds, onProgress, onMessage }: ProviderTestOptions,
): Promise<ProviderReport> {
  const workshop = await openWorkshop(given, ports, onMessage);
  try {
    return await checkProvider(
      {
        ...workshop,
        limitMs: callSeconds * 1000,
        cancelMs: cancelSeconds * 1000,
        sleep: (ms) => pause(ms),
        onProgress,
      },
      plan,
    );
  } finally {
    await workshop.close();
  }
}

/** Returns a plan to start from, made from the provider's schema. */
export async function providerTestSkeleton(given: string, ports: TestSurroundings): Promise<string> {
  const workshop = await openWorkshop(given, ports, () => undefined);
  try {
    const { provider } = await workshop.start();
    const schema = await schemaOfProvider(provider);
    if (schema === undefined)
      throw cairnError('CAIRN-PROVIDER-TEST', `the provider ${workshop.name} has no schema`, {
        hint: 'Write the file by hand: docs/providers.md shows one.',
      });
    return planSkeleton(schema);
  } finally {
    await workshop.close();
  }
}
