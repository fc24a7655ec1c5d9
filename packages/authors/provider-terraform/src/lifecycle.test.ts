import { record, UNKNOWN_VALUE } from '@cairn/tfplugin';
import type { TfValue } from '@cairn/tfplugin';
import { defineResource } from '@cairn/provider-sdk';
import { sampleProvider } from '@cairn/testkit/sample';
import type { World } from '@cairn/testkit/sample';
import { instanceOf, said } from './testdata/terraform-instance.js';
import type { Instance } from './testdata/terraform-instance.js';
import type { Protocol } from './index.js';

const boxIn = (world: World, protocol: Protocol): Promise<Instance> =>
  instanceOf(sampleProvider(world), 'sample_box', { region: 'north' }, protocol);

describe.each([5, 6] as const)(
  'a resource of ours in the lifecycle of Terraform [TFS-3], protocol %d',
  (protocol) => {
    let world: World;
    let box: Instance;
    beforeEach(async () => {
      world = { boxes: new Map() };
      box = await boxIn(world, protocol);
    });

    it('is planned with its defaults and unknown outputs, made, found unchanged, changed and taken away', async () => {
      const plan = await box.plan({ label: 'a' });
      expect(plan.planned).toMatchObject({
        id: UNKNOWN_VALUE,
        label: 'a',
        size: 1,
        kind: 'open',
        login: null,
        serial: UNKNOWN_VALUE,
      });
      expect(await box.apply({ label: 'a' })).toBe('create');
      expect(box.state).toMatchObject({
        id: 'box-1',
        label: 'a',
        size: 1,
        serial: 's-box-1',
        greeting: 'hello a',
      });
      expect(await box.apply({ label: 'a' })).toBe('nothing');
      expect(await box.apply({ label: 'b', size: 2 })).toBe('update');
      expect(box.state).toMatchObject({ id: 'box-1', label: 'b', size: 2, greeting: 'hello b' });
      expect(world.boxes.get('box-1')).toEqual({ label: 'b', size: 2 });
      expect((await box.delete()).state).toBeNull();
      expect(world.boxes.size).toBe(0);
    });

    it('goes back to the default when the program takes a value away', async () => {
      await box.apply({ label: 'a', size: 3 });
      expect(await box.apply({ label: 'a' })).toBe('update');
      expect(world.boxes.get('box-1')).toEqual({ label: 'a', size: 1 });
    });

    it('is replaced where a change asks for it, with every output unknown until then', async () => {
      await box.apply({ label: 'a' });
      const plan = await box.plan({ label: 'a', kind: 'shut' });
      expect(plan.requiresReplace).toEqual([['kind']]);
      expect(plan.planned).toMatchObject({ id: UNKNOWN_VALUE, serial: UNKNOWN_VALUE, kind: 'shut' });
      expect(await box.apply({ label: 'a', kind: 'shut' })).toBe('replace');
      expect([...world.boxes.keys()]).toEqual(['box-1']);
    });

    it('keeps outputs that an update never changes in the plan', async () => {
      await box.apply({ label: 'a' });
      const { planned } = await box.plan({ label: 'b' });
      expect(planned).toMatchObject({ id: 'box-1', serial: 's-box-1', greeting: UNKNOWN_VALUE });
    });

    it('leaves what is not known yet unknown, in the plan of a create and of an update', async () => {
      expect((await box.plan({ label: UNKNOWN_VALUE, size: UNKNOWN_VALUE })).planned).toMatchObject({
        label: UNKNOWN_VALUE,
        size: UNKNOWN_VALUE,
        kind: 'open',
      });
      await box.apply({ label: 'a' });
      expect((await box.plan({ label: UNKNOWN_VALUE })).planned).toMatchObject({
        label: UNKNOWN_VALUE,
        id: 'box-1',
      });
    });

    it.each([
      ['a missing value', { size: 2 }, 'label'],
      ['a value that breaks a rule', { label: 'far too long' }, 'label'],
      ['one of other texts', { label: 'a', kind: 'ajar' }, 'kind'],
      ['a rule of the author', { label: 'never' }, 'label'],
      ['a reported attribute', { label: 'a', serial: 's' }, 'serial'],
      ['the id', { label: 'a', id: 'mine' }, 'id'],
    ])('validation says where: %s', async (_title, values: Readonly<Record<string, TfValue>>, at) => {
      const config = record(
        Object.entries({ ...box.config(values), ...('id' in values && { id: values['id'] as string }) }),
      );
      const found = await box.type.validate(config);
      expect(found.map(({ severity, attribute }) => [severity, attribute])).toEqual([['error', [at]]]);
    });

    it('says nothing about what is valid, known or not', async () => {
      expect(await box.type.validate(box.config({ label: 'a' }))).toEqual([]);
      expect(await box.type.validate(box.config({ label: UNKNOWN_VALUE }))).toEqual([]);
    });

    it('an object that was made in part is the state, beside the error', async () => {
      expect(await box.apply({ label: 'half' })).toBe(
        'create: Cannot create sample:index:Box: not ready; no door. []',
      );
      expect(box.state).toMatchObject({ id: 'half-id', serial: 'h', label: 'half' });
    });

    it('where nothing was done, there is no state', async () => {
      expect(await box.apply({ label: 'none' })).toBe(
        'create: Cannot create sample:index:Box: nothing was done. []',
      );
      expect(box.state).toBeNull();
    });

    it('drift is read, and an object that is gone is none', async () => {
      await box.apply({ label: 'a' });
      const before = box.state;
      expect((await box.read()).state).toEqual(before);
      world.boxes.set('box-1', { label: 'z', size: 1 });
      expect((await box.read()).state).toMatchObject({ label: 'z', greeting: 'hello z' });
      expect(await box.apply({ label: 'a' })).toBe('update');
      world.boxes.clear();
      expect((await box.read()).state).toBeNull();
    });

    it('is imported by its id, and then needs nothing', async () => {
      world.boxes.set('box-7', { label: 'q', size: 4 });
      expect((await box.import('box-7')).state).toMatchObject({
        id: 'box-7',
        label: 'q',
        size: 4,
        serial: 's-box-7',
      });
      expect(await box.apply({ label: 'q', size: 4 })).toBe('nothing');
    });

    it('an object that fails to be made for an unclear reason may be there', async () => {
      const failing = defineResource({
        inputs: {},
        outputs: {},
        create: () => Promise.reject(new Error('connection lost')),
      });
      const resources = { 'index:Box': failing };
      const made = await instanceOf(
        { name: 'failing', version: '1.0.0', resources },
        'failing_box',
        {},
        protocol,
      );
      expect(await made.apply({})).toMatch(/connection lost\. It is unknown whether anything was done/);
      expect(made.state).toBeNull();
    });

    it('what cannot be imported is said', async () => {
      const fixed = await instanceOf(sampleProvider(world), 'sample_fixed', { region: 'north' });
      expect(said(await fixed.import('x'))).toMatch(/^Cannot read sample:index:Fixed: it cannot be imported/);
    });
  },
);
