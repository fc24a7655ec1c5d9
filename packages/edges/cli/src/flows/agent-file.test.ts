import { serviceOf } from './agent-file.js';

test.each([
  [{}, undefined],
  [{ config: 'agent.yaml' }, undefined],
  [{ service: 'https://state.test', org: 'acme', places: 3, localSources: false }, 'https://state.test'],
])('%j asks the service %s', (flags, service) => expect(serviceOf(flags)).toBe(service));

test.each([
  [{ pool: 'blue' }, '--pool needs --service'],
  [{ localSources: true }, '--local-sources needs --service'],
  [{ service: 'https://state.test', config: 'agent.yaml' }, '--config cannot be used with --service'],
])('%j is refused: %s', (flags, why) => expect(() => serviceOf(flags)).toThrow(why));
