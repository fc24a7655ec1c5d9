import { makeUrn } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import {
  InitFailed,
  ProviderError,
  defineFunction,
  defineProvider,
  defineResource,
  s,
} from '@cairn/provider-sdk';

/** Objects of the sample provider that really exist. */
export interface World {
  readonly boxes: Map<string, { label: string; size: number }>;
}

/** Returns a provider with one resource of every feature, over a world in memory. */
export function sampleProvider(world: World) {
  const inputs = {
    label: s.string({ minLength: 1, maxLength: 8 }),
    size: s.integer({ min: 1, max: 9 }).default(1),
    kind: s.oneOf('open', 'shut').default('open').replaceOnChange(),
    login: s.string().optional().secret(),
    tags: s.map(s.string()).optional(),
    parts: s
      .array(
        s.object({
          name: s.string(),
          weight: s.number().optional(),
          fixed: s.boolean().optional().replaceOnChange(),
        }),
      )
      .optional(),
  };
  const box = defineResource({
    description: 'A box.',
    inputs,
    outputs: { ...inputs, serial: s.string(), greeting: s.string(), key: s.string().secret() },
    stableOutputs: ['serial'],
    reveals: { greeting: ['login', 'label'] },
    check: ({ label }) => (label === 'never' ? [{ property: 'label', reason: 'is not to be used' }] : []),
    create: async (given, context) => {
      if (given.label === 'half')
        throw new InitFailed('half-id', { ...given, serial: 'h', greeting: 'h', key: 'k' }, [
          'not ready',
          'no door',
        ]);
      if (given.label === 'none') throw new ProviderError('FAILED_PRECONDITION', 'nothing was done');
      if (given.label === 'wait') {
        await new Promise((_resolve, reject) =>
          context.signal.addEventListener('abort', () => reject(context.signal.reason as Error)),
        );
      }
      if (given.label === 'tell')
        throw new ProviderError('ABORTED', context.redact(`it said ${given.login}`));
      const id = `box-${world.boxes.size + 1}`;
      world.boxes.set(id, { label: given.label, size: given.size });
      return { id, outputs: { ...given, serial: `s-${id}`, greeting: `hello ${given.label}`, key: 'k' } };
    },
    read: async (id, known) => {
      const found = world.boxes.get(id);
      if (found === undefined) return undefined;
      const given = { kind: 'open' as const, ...known?.inputs, ...found };
      return {
        id,
        inputs: given,
        outputs: { ...given, serial: `s-${id}`, greeting: `hello ${found.label}`, key: 'k' },
      };
    },
    update: async (old, given) => {
      world.boxes.set(old.id, { label: given.label, size: given.size });
      return { ...given, serial: old.outputs.serial, greeting: `hello ${given.label}`, key: 'k' };
    },
    delete: async ({ id }) => {
      world.boxes.delete(id);
    },
  });
  const fixed = defineResource({
    inputs: { value: s.any() },
    outputs: { value: s.any() },
    deleteBeforeReplace: true,
    create: async (given) => ({ id: 'fixed', outputs: given }),
  });
  const lookup = defineFunction({
    inputs: { id: s.string() },
    outputs: { label: s.string(), region: s.string(), login: s.string().secret() },
    invoke: async ({ id }, { config }) => ({
      label: world.boxes.get(id)?.label ?? 'none',
      region: String(config['region']),
      login: 'l',
    }),
  });
  return defineProvider({
    name: 'sample',
    version: '1.2.3',
    config: {
      region: s.string().describe('Where.'),
      retries: s.integer().default(3),
      token: s.string().optional().secret(),
      zone: s.string().optional().replaceOnChange(),
    },
    resources: { 'index:Box': box, 'index:Fixed': fixed },
    functions: { 'index:lookup': lookup },
  });
}

/** Returns the identity of a sample resource. */
export function identity(name: string, type = 'sample:index:Box') {
  return { urn: makeUrn({ stack: 'dev', project: 'shop', type, name }), name, type };
}

export const map = propertyMap;
