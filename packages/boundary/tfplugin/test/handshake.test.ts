import {
  COOKIE,
  answeredVersion,
  printHandshakeLine,
  printReattach,
  readHandshakeLine,
  readHostOffer,
  readReattach,
} from '../src/index.js';
import { casesOf } from './cases.js';

const VERSIONS = [6, 5];
const titled = (name: string) =>
  casesOf('handshake', name).map((each) => [`${each.id} ${String(each['title'])}`, each] as const);

describe('handshake lines [TFP-2]', () => {
  test.each(titled('line'))('%s', (_, { line, expect: expected, client_cert: encrypted }) => {
    const read = readHandshakeLine(line as string, { versions: VERSIONS, encrypted: encrypted === true });
    if (read.t === 'refused') return expect({ error: true }).toEqual(expected);
    const { protocolVersion, network, address, certificate } = read.handshake;
    return expect({
      ...{ core: 1, app: protocolVersion, network, address },
      ...{ protocol: 'grpc', tls: certificate !== undefined },
    }).toEqual(expected);
  });

  test.each(titled('version'))('%s', (_, { plugin, offered, expect: expected }) => {
    const answered = answeredVersion(plugin as number[], (offered as number[]).join(','));
    const line = printHandshakeLine({
      ...{ protocolVersion: answered, network: 'unix', address: '/x' },
      certificate: undefined,
    });
    const read = readHandshakeLine(line, { versions: offered as number[], encrypted: false });
    expect({ answered, ...(read.t === 'refused' && { error: true }) }).toEqual(expected);
  });

  test('what is written is what is read, with a certificate or without', () => {
    for (const certificate of [undefined, Buffer.alloc(61, 7), Buffer.alloc(62, 8)]) {
      const handshake = { protocolVersion: 5, network: 'tcp', address: '127.0.0.1:1', certificate } as const;
      const line = printHandshakeLine(handshake);
      expect(line).toMatch(/^1\|5\|tcp\|127\.0\.0\.1:1\|grpc\|[^=]*\n$/);
      expect(readHandshakeLine(line, { versions: VERSIONS, encrypted: certificate !== undefined })).toEqual({
        t: 'handshake',
        handshake,
      });
    }
  });

  test('a host that says no versions gets the lowest', () => {
    expect(answeredVersion([5, 6], undefined)).toBe(5);
    expect(answeredVersion([5, 6], '7,5')).toBe(5);
  });
});

describe('what a host says in the environment [TFP-1]', () => {
  const cookie = { [COOKIE.name]: COOKIE.value };
  const nothing = {
    ...{ versions: undefined, clientCertificate: undefined },
    ...{ socketDirectory: undefined, ports: undefined },
  };

  test('nothing, without the cookie', () => {
    expect(readHostOffer({})).toBeUndefined();
    expect(readHostOffer({ PLUGIN_PROTOCOL_VERSIONS: '6', [COOKIE.name]: 'd602' })).toBeUndefined();
  });

  test.each([
    [{}, {}],
    [
      { PLUGIN_PROTOCOL_VERSIONS: '6,5', PLUGIN_CLIENT_CERT: 'pem', PLUGIN_UNIX_SOCKET_DIR: '/run/x' },
      { versions: '6,5', clientCertificate: 'pem', socketDirectory: '/run/x' },
    ],
    [{ PLUGIN_MIN_PORT: '10000', PLUGIN_MAX_PORT: '25000' }, { ports: [10_000, 25_000] }],
    [{ PLUGIN_CLIENT_CERT: '', PLUGIN_MIN_PORT: '9', PLUGIN_MAX_PORT: '8' }, {}],
  ])('%j', (env, said) => {
    expect(readHostOffer({ ...cookie, ...env })).toEqual({ ...nothing, ...said });
  });
});

describe('providers that run already [TFP-6]', () => {
  test.each(titled('reattach'))('%s', (_, { reattach, expect: expected }) => {
    const read = readReattach(JSON.stringify(reattach), VERSIONS);
    if (read.t === 'refused') return expect({ error: true }).toEqual(expected);
    const [provider] = read.providers.values();
    return expect({
      app: provider?.protocolVersion,
      tls: false,
      shutdown_on_close: provider?.test === false,
    }).toEqual(expected);
  });

  test('what is written is what is read', () => {
    const provider = {
      protocolVersion: 6,
      network: 'tcp',
      address: '127.0.0.1:1',
      pid: 7,
      test: false,
    } as const;
    const read = readReattach(printReattach('acme/fake', provider), VERSIONS);
    expect(read).toEqual({ t: 'attached', providers: new Map([['acme/fake', provider]]) });
  });

  test.each([
    ['nothing', '', /not a JSON object/],
    ['a list', '[]', /not a JSON object/],
    ['a text for a provider', '{"a/b":"x"}', /a\/b: it is not a JSON object/],
    ['another protocol', '{"a/b":{"Protocol":"netrpc"}}', /speaks netrpc/],
    ['another version', '{"a/b":{"Protocol":"grpc","ProtocolVersion":4}}', /version 4 .*6 and 5/],
    ['no address', '{"a/b":{"Protocol":"grpc","Addr":{"Network":"tcp"}}}', /it has no address/],
  ])('%s is refused', (_, text, why) => {
    const read = readReattach(text, VERSIONS);
    expect(read.t === 'refused' && read.why).toMatch(why);
  });
});
