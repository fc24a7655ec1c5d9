import { cairnError } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import { isProviderError } from '@cairn/wire';
import { providerType } from '@cairn/addresses';
import { Bench, failuresText, identityOf, withinLimit } from './bench.js';
import type { BenchPorts, TestObject } from './bench.js';
import { tryChanges, tryDelete } from './changing.js';
import { keepComparisons, tryComparing } from './comparing.js';
import { tryCancel, tryCrash, tryOtherProcess } from './interruptions.js';
import { tryMaking, tryPartialFailure } from './making.js';
import { asInputs } from './plan.js';
import type { ResourceTest, TestPlan } from './plan.js';
import { questionsAbout } from './questions.js';
import { ownOutputs, tryReading } from './reading.js';
import { broken, kept, notPromised } from './report.js';
import type { Finding, ProviderReport, ResourceReport } from './report.js';
import { schemaOfProvider, secretConfig, secretInputs } from './schema.js';
import type { PackageSchema } from './schema.js';
import { Trial, failureText } from './trial.js';

/** Ports of a test. */
export interface TestPorts extends BenchPorts {
  /** Runs the `drift` command of a plan. Fails if the command fails. */
  runCommand(command: string, object: TestObject): Promise<void>;
  /** Receives the name of the next trial. */
  onProgress(what: string): void;
}

const SETTINGS = 'unchanged settings cause no change';
const FUNCTION = 'a function answers';
const LEFT = 'everything that was created can be deleted';

/**
 * Tries the engine's calls on a provider, with the values of a plan, and reports the promises that it keeps. It makes,
 * changes and deletes real objects. Fails when the provider cannot be started or configured.
 */
export async function checkProvider(ports: TestPorts, plan: TestPlan): Promise<ProviderReport> {
  const schema = await schemaFrom(ports);
  const config = asInputs(plan.config, secretConfig(schema));
  const open = (): Promise<Bench> => Bench.open(ports, config);
  const bench = await open().catch((error: unknown) => {
    if (!isProviderError(error)) throw error;
    throw cairnError('CAIRN-PROVIDER-TEST', `the provider ${ports.name} cannot be configured`, {
      causes: [failureText(error)],
      hint: 'Set its settings under `config` in the file of inputs.',
    });
  });
  const findings: Finding[] = [];
  const { version } = await bench.provider.getPluginInfo();
  const { capabilities } = bench;
  try {
    findings.push(await trySettings(bench, config), ...(await tryFunctions(bench, plan)));
  } finally {
    await bench.instance.close();
  }
  const resources: ResourceReport[] = [];
  for (const each of plan.resources) {
    ports.onProgress(`${each.type} ${each.name}`);
    resources.push(
      await testResource(ports, each, new Set([...secretInputs(schema, each.type), ...each.secrets]), open),
    );
  }
  return { provider: ports.name, version, capabilities, findings, resources };
}

async function schemaFrom(ports: TestPorts): Promise<PackageSchema | undefined> {
  const instance = await ports.start();
  try {
    return await schemaOfProvider(instance.provider);
  } finally {
    await instance.close();
  }
}

/** Trials in the order of an object's life. */
const STEPS: readonly ((trial: Trial) => Promise<void>)[] = [
  tryMaking,
  tryReading,
  tryOtherProcess,
  tryChanges,
  keepComparisons,
  tryDelete,
  tryComparing,
  tryPartialFailure,
  tryCancel,
  tryCrash,
];

async function testResource(
  ports: TestPorts,
  plan: ResourceTest,
  secrets: ReadonlySet<string>,
  open: () => Promise<Bench>,
): Promise<ResourceReport> {
  const trial = new Trial(await open(), plan, secrets, open, (command, object) =>
    ports.runCommand(command, object),
  );
  const { promises } = trial;
  let own: readonly string[] = [];
  try {
    for (const step of STEPS) {
      await step(trial).catch((error: unknown) =>
        trial.note(broken('the provider continues', failureText(error))),
      );
      if (trial.object !== undefined) own = ownOutputs(trial.object);
    }
  } finally {
    await cleanUp(trial);
    await trial.bench.instance.close();
  }
  const questions = questionsAbout({ promises, looks: trial.looks, ownOutputs: own });
  return { type: plan.type, name: plan.name, promises, findings: merged(trial.findings), questions };
}

/** Deletes the remaining objects, newest first. */
async function cleanUp(trial: Trial): Promise<void> {
  const left = [...trial.strays, ...(trial.object === undefined ? [] : [trial.object])];
  if (left.length === 0) return;
  const bench = await trial.open();
  try {
    for (const object of left.reverse()) {
      await bench
        .delete(trial.about, object)
        .catch((error: unknown) => trial.note(broken(LEFT, `${object.id} is left: ${failureText(error)}`)));
    }
  } finally {
    await bench.instance.close();
  }
}

async function trySettings({ provider, ports }: Bench, config: PropertyMap): Promise<Finding> {
  const identity = identityOf('default', providerType(ports.name));
  const same = { ...identity, oldInputs: config, oldOutputs: config, news: config, ignoreChanges: [] };
  try {
    const diff = await withinLimit(ports, 'DiffConfig', () => provider.diffConfig(same));
    const keys = [...diff.changedKeys, ...diff.replaceKeys].join(', ');
    return diff.changes === 'some' ? broken(SETTINGS, `the diff names ${keys || 'nothing'}`) : kept(SETTINGS);
  } catch (error) {
    return isProviderError(error) && error.code === 'UNIMPLEMENTED'
      ? notPromised(SETTINGS, 'the provider does not compare settings')
      : broken(SETTINGS, failureText(error));
  }
}

async function tryFunctions(
  { provider, ports }: Bench,
  { functions }: TestPlan,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { token, inputs } of functions) {
    const promise = `${FUNCTION}: ${token}`;
    try {
      const request = { token, args: asInputs(inputs, new Set()), preview: false };
      const { failures } = await withinLimit(ports, 'Invoke', () => provider.invoke(request));
      findings.push(failures.length === 0 ? kept(promise) : broken(promise, failuresText(failures)));
    } catch (error) {
      findings.push(broken(promise, failureText(error)));
    }
  }
  return findings;
}

/** Merges findings about a promise: if it was tried several times, it is kept only if it was kept every time. */
function merged(findings: readonly Finding[]): readonly Finding[] {
  const byPromise = new Map<string, Finding>();
  for (const each of findings) {
    const before = byPromise.get(each.promise);
    if (before === undefined || (before.verdict !== 'broken' && each.verdict === 'broken'))
      byPromise.set(each.promise, each);
    else if (before.verdict === each.verdict && each.detail !== '' && !before.detail.includes(each.detail))
      byPromise.set(each.promise, {
        ...before,
        detail: [before.detail, each.detail].filter(Boolean).join('; '),
      });
  }
  return [...byPromise.values()];
}
