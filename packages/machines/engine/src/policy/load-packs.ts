import { cairnError, isCairnError, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { CairnError, Diagnostic } from '@cairn/diagnostics';
import type { Analyzer, AnalyzerStack } from '@cairn/wire';
import { packOf, packLabel } from './pack.js';
import type { Pack } from './pack.js';
import { reconcileSettings } from './pack-settings.js';
import type { AnalyzerLoader } from '../ports.js';
import type { PolicyPackSpec } from '../model/policy.js';

/**
 * Loads policy packs in parallel: greets each, sends it the stack and configures it. If one fails, all fail [POL-1],
 * and the packs already loaded are closed again.
 */
export async function loadPacks(
  specs: readonly PolicyPackSpec[],
  stack: AnalyzerStack,
  loader: AnalyzerLoader,
  report: (diagnostic: Diagnostic) => void,
): Promise<readonly Pack[]> {
  const loaded = await Promise.allSettled(specs.map((spec) => loadPack(spec, stack, loader, report)));
  const failed = loaded.find((each) => each.status === 'rejected');
  if (failed === undefined)
    return loaded.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const each of loaded) if (each.status === 'fulfilled') await each.value.analyzer.close();
  throw failed.reason;
}

async function loadPack(
  spec: PolicyPackSpec,
  stack: AnalyzerStack,
  loader: AnalyzerLoader,
  report: (diagnostic: Diagnostic) => void,
): Promise<Pack> {
  let analyzer: Analyzer | undefined;
  try {
    analyzer = await loader.load(spec, stack);
    return await settled(analyzer, spec, report);
  } catch (thrown) {
    await analyzer?.close();
    throw isCairnError(thrown) ? thrown : unloadable(spec, thrown);
  }
}

async function settled(
  analyzer: Analyzer,
  spec: PolicyPackSpec,
  report: (diagnostic: Diagnostic) => void,
): Promise<Pack> {
  const info = await analyzer.getAnalyzerInfo();
  const { settings, errors, warnings } = reconcileSettings(info, spec.settings);
  const given = Object.keys(spec.settings).length > 0;
  const ignored = given && !info.supportsConfig ? ['it has no configuration'] : warnings;
  for (const warning of ignored)
    report(warningDiagnostic('CAIRN-POLICY-PACK', `policy pack ${info.name}: ${warning}`));
  const directory = spec.t === 'local' ? spec.directory : undefined;
  if (!info.supportsConfig) return packOf(analyzer, info, {}, directory);
  if (errors.length > 0) throw misconfigured(info.name, errors);
  if (Object.keys(settings).length > 0) await analyzer.configure(settings);
  return packOf(analyzer, info, settings, directory);
}

function unloadable(spec: PolicyPackSpec, thrown: unknown): CairnError {
  return cairnError(
    'CAIRN-POLICY-PACK',
    `cannot load the policy pack ${packLabel(spec)}: ${messageOf(thrown)}`,
    { hint: 'Nothing was changed. Fix the pack, or run without it.' },
    thrown,
  );
}

function misconfigured(pack: string, errors: readonly string[]): CairnError {
  return cairnError('CAIRN-POLICY-PACK', `the configuration of the policy pack ${pack} is not valid`, {
    causes: errors,
    hint: 'Correct the configuration of the pack, as its policies describe it.',
  });
}
