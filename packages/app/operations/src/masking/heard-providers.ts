import type { ProviderLoader } from '@cairn/engine';
import type { PropertyMap } from '@cairn/values';
import { isInitFailed } from '@cairn/wire';
import type { Provider } from '@cairn/wire';

/** Gets properties that go to a provider or come from it. */
type Hear = (map: PropertyMap | undefined) => void;

/** The calls whose requests or answers hold properties, with the names of those (provider contract in `wire`). */
const HEARD = {
  checkConfig: { asked: ['olds', 'news'], answered: ['inputs'] },
  diffConfig: { asked: ['oldInputs', 'oldOutputs', 'news'], answered: [] },
  configure: { asked: ['inputs'], answered: [] },
  check: { asked: ['olds', 'oldOutputs', 'news'], answered: ['inputs'] },
  diff: { asked: ['oldInputs', 'oldOutputs', 'news'], answered: [] },
  create: { asked: ['inputs'], answered: ['outputs'] },
  read: { asked: ['inputs', 'state'], answered: ['inputs', 'outputs'] },
  update: { asked: ['oldInputs', 'oldOutputs', 'news'], answered: ['outputs'] },
  delete: { asked: ['oldInputs', 'oldOutputs'], answered: [] },
  lookup: { asked: ['inputs'], answered: [] },
  list: { asked: ['query'], answered: [] },
  invoke: { asked: ['args'], answered: ['result'] },
  construct: { asked: ['inputs'], answered: ['outputs'] },
  call: { asked: ['args'], answered: ['result'] },
} as const satisfies Partial<
  Record<keyof Provider, { readonly asked: readonly string[]; readonly answered: readonly string[] }>
>;

/**
 * The loader, whose providers tell `hear` of all properties before a call and after it: what is secret in them is known
 * before anything is said of it.
 */
export function heardProviders(loader: ProviderLoader, hear: Hear): ProviderLoader {
  return { load: async (spec) => heardProvider(await loader.load(spec), hear) };
}

/** The provider itself in all else: members that it does not have are not had here either. */
function heardProvider(provider: Provider, hear: Hear): Provider {
  const made = new Map<PropertyKey, unknown>();
  return new Proxy(provider, {
    get(target, name) {
      const known = made.get(name);
      if (known !== undefined) return known;
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const call = member.bind(target) as (request: unknown) => Promise<unknown>;
      const heard = isHeard(name) ? heardCall(call, HEARD[name], hear) : call;
      made.set(name, heard);
      return heard;
    },
  });
}

function isHeard(name: PropertyKey): name is keyof typeof HEARD {
  return Object.hasOwn(HEARD, name);
}

function heardCall(
  call: (request: unknown) => Promise<unknown>,
  { asked, answered }: (typeof HEARD)[keyof typeof HEARD],
  hear: Hear,
): (request: unknown) => Promise<unknown> {
  return async (request) => {
    hearAll(request, asked, hear);
    try {
      const answer = await call(request);
      hearAll(answer, answered, hear);
      return answer;
    } catch (error) {
      if (isInitFailed(error)) hearAll(error, ['inputs', 'outputs'], hear);
      throw error;
    }
  };
}

function hearAll(holder: unknown, names: readonly string[], hear: Hear): void {
  if (typeof holder !== 'object' || holder === null) return;
  for (const name of names) hear((holder as Readonly<Record<string, PropertyMap | undefined>>)[name]);
}
