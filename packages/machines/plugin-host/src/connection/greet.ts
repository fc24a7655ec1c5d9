import { fail, messageOf } from '@cairn/diagnostics';
import type { HandshakeRequest, PluginSpec, Provider } from '@cairn/wire';
import { isProviderError } from '@cairn/wire';
import semver from 'semver';
import { deferred } from '../deferred.js';
import { gitPlace } from '../install/git-plugin.js';
import type { PluginLimits } from '../options.js';
import { pluginName } from '../plugin-spec.js';

/** Arguments of the first calls to a plugin. */
interface Greeting {
  readonly spec: PluginSpec;
  readonly handshake: HandshakeRequest;
  /** Address of the engine, for a plugin that another program started. */
  readonly attach: string | undefined;
  readonly warn: (text: string) => void;
}

/**
 * Makes the first calls, in the order of [PLUG-7]: handshake, attach if another program started the plugin, plugin
 * info, parameterize. An error of any of them is the plugin's failure to load.
 */
export async function greet(provider: Provider, greeting: Greeting, limits: PluginLimits): Promise<void> {
  const { spec } = greeting;
  await untilReady(() => provider.handshake(greeting.handshake), limits, pluginName(spec));
  if (greeting.attach !== undefined) await provider.attach?.(greeting.attach);
  const { version } = await provider.getPluginInfo();
  // A plugin in a git repository has the version of the repository, which it need not know.
  const isFromGit = gitPlace(spec.downloadUrl) !== undefined;
  const complaint = isFromGit ? undefined : versionComplaint(pluginName(spec), spec.version, version);
  if (complaint !== undefined) greeting.warn(complaint);
  if (spec.parameterization !== undefined) await parameterize(provider, spec, spec.parameterization);
}

/** Repeats the first call while there is no answer, within `readyMs` in all. */
export async function untilReady<T>(
  call: () => Promise<T>,
  limits: PluginLimits,
  plugin: string,
  nobodyAnswers = isUnavailable,
): Promise<T> {
  const late = deferred<never>();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    late.reject(notReady(plugin, limits.readyMs));
  }, limits.readyMs);
  const attempt = async (): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (over || !nobodyAnswers(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, limits.retryMs));
      }
    }
  };
  const ready = attempt();
  ready.catch(() => undefined);
  return Promise.race([ready, late.promise]).finally(() => clearTimeout(timer));
}

function isUnavailable(error: unknown): boolean {
  return isProviderError(error) && error.code === 'UNAVAILABLE' && !('diagnostics' in error);
}

const notReady = (plugin: string, ms: number): Error =>
  new Error(`the plugin ${plugin} did not answer its first call within ${ms / 1000} s`);

/**
 * Returns a warning about a plugin that is older than requested, or does not say its version. It is used all the same.
 */
function versionComplaint(plugin: string, asked: string | undefined, found: string): string | undefined {
  const wanted = semver.valid(asked);
  if (wanted === null) return undefined;
  const actual = semver.valid(found);
  if (actual === null)
    return `version ${wanted} of ${plugin} was requested; the plugin does not report its version`;
  return semver.lt(actual, wanted)
    ? `version ${wanted} of ${plugin} was requested; the plugin is ${actual}`
    : undefined;
}

async function parameterize(
  provider: Provider,
  spec: PluginSpec,
  { name, version, value }: NonNullable<PluginSpec['parameterization']>,
): Promise<void> {
  const answer = await provider
    .parameterize({ parameters: { kind: 'value', name, version, value } })
    .catch((error) =>
      fail(
        'CAIRN-PLUGIN-START',
        `cannot turn the plugin ${pluginName(spec)} into the package ${name}`,
        { urn: spec.neededBy, causes: [messageOf(error)] },
        error,
      ),
    );
  if (answer.name !== name) {
    fail(
      'CAIRN-PLUGIN-START',
      `the plugin ${pluginName(spec)} became the package ${answer.name} instead of ${name}`,
      {
        urn: spec.neededBy,
        hint: `Generate the program's package for ${name} again.`,
      },
    );
  }
}
