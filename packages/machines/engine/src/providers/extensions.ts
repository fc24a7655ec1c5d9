import { cairnError, messageOf } from '@cairn/diagnostics';
import type { Urn } from '@cairn/addresses';
import type { Extension } from '@cairn/state';
import type { Provider } from '@cairn/wire';
import type { ReadyProvider } from './ready-provider.js';

/** Dependencies of {@link Extensions}. */
interface ExtensionsOptions {
  /** Extensions of the base snapshot, by reference. */
  readonly base: Readonly<Record<string, Extension>>;
  /** Called once for each extension that is used and not in the base. The callback must store its content. */
  readonly onUsed: (ref: string, extension: Extension) => void;
}

/**
 * Extensions of packages [PKG-3]. A provider receives one once, before the first operation that needs it. Every other
 * operation that needs it waits meanwhile.
 */
export class Extensions {
  readonly #known: Map<string, Extension>;
  readonly #stored: Set<string>;
  readonly #options: ExtensionsOptions;

  constructor(options: ExtensionsOptions) {
    this.#options = options;
    this.#known = new Map(Object.entries(options.base));
    this.#stored = new Set(this.#known.keys());
  }

  /** Registers an extension of the program. */
  learn(ref: string, extension: Extension): void {
    this.#known.set(ref, extension);
  }

  /**
   * Returns the provider as soon as it knows the extension. Throws CAIRN-PROVIDER-CONFIG if the provider refuses it or
   * the stack does not hold it.
   */
  async applied(provider: ReadyProvider, ref: string, neededBy: Urn): Promise<ReadyProvider> {
    let telling = provider.extensions.get(ref);
    if (telling === undefined) {
      telling = this.#tell(provider, ref, neededBy);
      provider.extensions.set(ref, telling);
    }
    await telling;
    return provider;
  }

  async #tell(provider: Provider, ref: string, urn: Urn): Promise<void> {
    const extension = this.#known.get(ref);
    if (extension === undefined) {
      throw cairnError(
        'CAIRN-PROVIDER-CONFIG',
        `the stack does not contain the extension ${ref} of its package`,
        {
          urn,
          hint: 'Run an operation with the program, which registers it, or repair the state.',
        },
      );
    }
    const { name, version, value } = extension;
    const answer = await provider
      .parameterize({ parameters: { kind: 'value', name, version, value } })
      .catch((error: unknown) => {
        const summary = `the provider cannot be extended by the package ${name} ${version}`;
        throw cairnError('CAIRN-PROVIDER-CONFIG', summary, { urn, causes: [messageOf(error)] }, error);
      });
    if (answer.name !== name) {
      const summary = `the provider answered with the package ${answer.name} when it was extended by ${name}`;
      throw cairnError('CAIRN-PROVIDER-ANSWER', summary, {
        urn,
        hint: 'Report it to the author of the provider.',
      });
    }
    if (this.#stored.has(ref)) return;
    this.#stored.add(ref);
    this.#options.onUsed(ref, extension);
  }
}
