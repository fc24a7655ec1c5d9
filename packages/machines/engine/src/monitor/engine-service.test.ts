import type { EngineEvent } from '../model/events.js';
import { propertyMap } from '@cairn/values';
import { COMPATIBLE_VERSION } from '@cairn/wire';
import { admitsVersion, createEngineService } from './engine-service.js';

describe('version ranges', () => {
  test.each<[string, boolean]>([
    ['', true],
    ['>=3.0.0', true],
    ['>= 3.200.0 <4.0.0', true],
    ['<3.0.0', false],
    ['<3.0.0 || >=3.260.0', true],
    ['3.260.0', true],
    ['==3.260.0', true],
    ['!3.260.0', false],
    ['!=3.259.0', true],
    ['>3.1.0 !3.260.0', false],
    ['3.x', true],
    ['4.x', false],
    ['>=3.260.0-beta.1', true],
  ])('%j admits 3.260.0: %s', (range, expected) => {
    expect(admitsVersion(range, '3.260.0')).toBe(expected);
  });

  test.each(['latest', '>=', '3.1.0 ||', '^3.0.0', '1.0.0 - 2.0.0', '~3'])('%j is not a range', (range) => {
    expect(() => admitsVersion(range, '3.260.0')).toThrow(/is not a range of versions/);
  });
});

describe('the service', () => {
  const serve = () => {
    const events: EngineEvent[] = [];
    return { events, service: createEngineService({ emit: (event) => void events.push(event) }) };
  };

  test('LT1-006 a message becomes a diagnostic event, with its resource, stream and transience', async () => {
    const { events, service } = serve();
    const urn = 'urn:pulumi:s::p::a:m:T::n';
    await service.log({ severity: 'error', message: 'oh', urn, streamId: 3, ephemeral: false });
    await service.log({ severity: 'info', message: 'so', urn: '', streamId: 0, ephemeral: true });
    expect(events).toEqual([
      {
        t: 'diagnostic',
        diagnostic: { severity: 'error', code: 'CAIRN-PROGRAM-LOG', summary: 'oh', urn },
        streamId: 3,
        ephemeral: false,
      },
      {
        t: 'diagnostic',
        diagnostic: { severity: 'info', code: 'CAIRN-PROGRAM-LOG', summary: 'so' },
        streamId: 0,
        ephemeral: true,
      },
    ]);
  });

  test('the root resource is a stored text, empty at first', async () => {
    const { service } = serve();
    expect(await service.getRootResource()).toBe('');
    await service.setRootResource('urn');
    expect(await service.getRootResource()).toBe('urn');
  });

  test('a version outside the range is refused, naming both; debugging was not asked for', async () => {
    const { service } = serve();
    await service.requirePulumiVersion('>=3.1.0');
    await expect(service.requirePulumiVersion('>=4.0.0')).rejects.toThrow(
      new RegExp(`">=4.0.0".*${COMPATIBLE_VERSION}`),
    );
    await expect(service.startDebugging({ config: propertyMap({}), message: 'here' })).rejects.toMatchObject({
      status: 'FAILED_PRECONDITION',
    });
  });
});
