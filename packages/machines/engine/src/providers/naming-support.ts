import type { Provider } from '@cairn/wire';

const takers = new WeakSet<Provider>();

/** The provider has said, when it was configured, that its check takes names [PROV-12]. */
export function noteTakesNames(provider: Provider): void {
  takers.add(provider);
}

/** Whether names can be proposed to a configured provider. */
export function takesNames(provider: Provider): boolean {
  return takers.has(provider);
}
