import { createRequire, register } from 'node:module';
import { installCommonJsHooks } from './commonjs-hooks.js';
import { isTypeScript } from './module-format.js';
import type { LoaderSettings, Transform } from './transform.js';
import { createTransform } from './transform.js';

/**
 * Preloaded by node before the program. Settings come in the query of this module's own URL (loader-url.ts):
 * `cache`, `tsconfig`: see LoaderSettings; `esm`: the program has ES modules, whose hooks cost a thread;
 * `maps`: path of the `source-map-support` package that the program's SDK installs for its stack traces.
 */
const query = new URL(import.meta.url).searchParams;
const settings: LoaderSettings = {
  cacheDirectory: query.get('cache') ?? undefined,
  tsconfig: query.get('tsconfig') ?? undefined,
};
const transform = createTransform(settings);

installCommonJsHooks(transform);
if (query.has('esm')) register(new URL('./esm-hooks.js', import.meta.url), { data: settings });
const maps = query.get('maps');
if (maps !== null) installSourceMaps(maps, transform);

/** Lets that package find the maps of files that were transpiled here; on disk it would find the untranspiled source. */
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
      if (!isTypeScript(file)) return null;
      const map = /\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/.exec(
        source(file),
      )?.[1];
      return map === undefined ? null : { url: file, map: Buffer.from(map, 'base64').toString('utf8') };
    },
  });
}
