import { createRequire, register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { offerBundles } from './bundle.js';
import { installCommonJsHooks } from './commonjs-hooks.js';
import { installEsmHooks } from './esm-hooks.js';
import { recordExits } from './exit-place.js';
import { formatOf, isInstalled, isTypeScript } from './module-format.js';
import { LOADER_VARIABLE } from './loader-settings.js';
import type { LoaderSettings } from './loader-settings.js';
import { tuneSdk } from './sdk-modules.js';
import { rememberLines } from './stack-texts.js';
import type { Transform } from './transform.js';
import { createTransform, MAP_COMMENT } from './transform.js';

// Preloaded by node before the program.
const settings = JSON.parse(process.env[LOADER_VARIABLE] ?? '{"transpile":true}') as LoaderSettings;
delete process.env[LOADER_VARIABLE];
// The runner of a plugin requires the plugin, whose sources become CommonJS. Their imports are then found without
// hooks.
const format = settings.exclusive === true ? () => 'commonjs' as const : formatOf;
const transform = createTransform(settings, format);

offerBundles(settings);
if (settings.transpile)
  installCommonJsHooks(transform, format, settings.compiler?.paths, settings.exclusive === true);
if (settings.transpile && settings.esm === true) {
  // Hooks of this thread would also see modules that the runner of a plugin requires.
  const inThread = (): void => register(new URL('./esm-hooks.js', import.meta.url), { data: settings });
  const isInOwn = settings.exclusive !== true && process.env['CAIRN_HOOKS_THREAD'] !== '1';
  if (!isInOwn || !installEsmHooks(transform, settings.compiler?.paths, inThread)) inThread();
}
if (settings.sourceMapSupport !== undefined) installSourceMaps(settings.sourceMapSupport, transform);
// Plugins may exit at any place. The runner of our SDK reports the place itself.
if (settings.exclusive !== true) recordExits(settings.sourceMapSupport !== undefined);

/**
 * Lets that package find the maps of files that were transpiled here. On disk it would find the untranspiled source.
 * Installed packages keep the positions they have: the maps they ship lead to sources that are not installed. A
 * resulting path like `node_modules/@scope/file.ts` makes `util.inspect` of node 20.20 loop forever. Then makes the SDK
 * cheaper, unless `CAIRN_PULUMI_AS_IS` is 1.
 */
function installSourceMaps(path: string, source: Transform): void {
  const support = createRequire(import.meta.url)(path) as {
    install(options: {
      environment: 'node';
      retrieveSourceMap: (path: string) => { url: string; map: string } | null;
    }): void;
  };
  support.install({
    environment: 'node',
    retrieveSourceMap: (file) => {
      const path = file.startsWith('file:') ? fileURLToPath(file) : file;
      if (isInstalled(path)) return { url: file, map: NO_MAP };
      const map = isTypeScript(path) ? inlineMap(path, source) : undefined;
      return map === undefined ? null : { url: file, map };
    },
  });
  if (process.env['CAIRN_PULUMI_AS_IS'] === '1') return;
  if (Error.prepareStackTrace !== undefined) Error.prepareStackTrace = rememberLines(Error.prepareStackTrace);
  tuneSdk();
}

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: '' });

/**
 * Returns the map at the end of a transpiled file. Returns undefined if the file is gone or no longer parses; the trace
 * then lacks it.
 */
function inlineMap(path: string, source: Transform): string | undefined {
  let code: string;
  try {
    code = source(path);
  } catch {
    return undefined;
  }
  const start = code.lastIndexOf(MAP_COMMENT);
  return start < 0
    ? undefined
    : Buffer.from(code.slice(start + MAP_COMMENT.length), 'base64').toString('utf8');
}
