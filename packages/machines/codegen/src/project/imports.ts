import { npmNameOf } from '../typed-package/options.js';
import type { PackageModel } from '../schema/model.js';
import { Identifiers } from '../source/identifiers.js';
import { stringLiteral } from '../source/literal.js';
import { SUPPORT } from './support.js';
import type { SupportName } from './support.js';

/** Names that a translated program may import from the SDK or from Node; no variable may have one. */
const IMPORTED = [
  ...[
    'all',
    'deferredOutput',
    'getOrganization',
    'getProject',
    'getRootDirectory',
    'getStack',
    'interpolate',
  ],
  ...['jsonStringify', 'output', 'recover', 'requirePulumiVersion', 'resourceName', 'resourceType', 'secret'],
  ...['unsecret', 'Config', 'ComponentResource', 'ComponentResourceOptions', 'ErrorHook', 'Input', 'Output'],
  ...['ResourceHook', 'Stash', 'StackReference', 'createHash', 'readFileSync', 'execFileSync'],
  ...['StringAsset', 'FileAsset', 'RemoteAsset', 'FileArchive', 'RemoteArchive', 'AssetArchive'],
];
/** Parameters of constructors of components. */
const PARAMETERS = ['name', 'args', 'options'];
const TYPES: ReadonlySet<string> = new Set(['ComponentResourceOptions', 'Input', 'Output']);

/** Imports of a file, and the names in it. */
export class Imports {
  readonly identifiers = new Identifiers([...IMPORTED, ...PARAMETERS, ...Object.keys(SUPPORT)]);
  readonly #named = new Map<string, Set<string>>();
  readonly #packages = new Map<string, string>();
  readonly #used = new Set<SupportName>();

  /** Returns a variable for a name of the program. */
  claim(text: string): string {
    return this.identifiers.claim(text);
  }

  /** Returns a name for a parameter, which may occur again in other scopes. */
  free(wanted: string, taken: readonly string[]): string {
    let name = wanted;
    for (let count = 2; this.identifiers.has(name) || taken.includes(name); count += 1)
      name = `${wanted}${count}`;
    return name;
  }

  from(module: string, name: string): string {
    const names = this.#named.get(module) ?? new Set();
    this.#named.set(module, names.add(name));
    return name;
  }

  support(name: SupportName): string {
    this.#used.add(name);
    return name;
  }

  package({ name }: PackageModel): string {
    const known = this.#packages.get(name);
    if (known !== undefined) return known;
    const claimed = this.claim(name);
    this.#packages.set(name, claimed);
    return claimed;
  }

  get supportUsed(): ReadonlySet<SupportName> {
    return this.#used;
  }

  /** Returns the import statements. `supportModule` is the file's path to the support file. */
  text(supportModule: string): string {
    const modules = new Map(this.#named);
    if (this.#used.size > 0) modules.set(supportModule, new Set(this.#used));
    const named = [...modules].map(([module, names]) => {
      const listed = [...names].sort().map((name) => (TYPES.has(name) ? `type ${name}` : name));
      return `import { ${listed.join(', ')} } from ${stringLiteral(module)};`;
    });
    const packages = [...this.#packages].map(
      ([name, local]) => `import * as ${local} from ${stringLiteral(npmNameOf(name))};`,
    );
    const isOwn = (line: string): boolean => line.includes("from './") || line.includes("from '../");
    return [...named.filter((line) => !isOwn(line)), ...packages, ...named.filter(isOwn)].join('\n');
  }
}
