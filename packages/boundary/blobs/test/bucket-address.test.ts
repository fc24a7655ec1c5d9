import { azureSecrets, parseAzureAddress } from '../src/azure/azure-address.js';
import { parseGcsAddress } from '../src/gcs/gcs-address.js';
import { maskedUrl } from '../src/object/bucket-url.js';
import { networkFailure } from '../src/object/network-failure.js';
import { proxyFor } from '../src/object/proxy.js';

const account = { AZURE_STORAGE_ACCOUNT: 'acc' };
const keyed = { ...account, AZURE_STORAGE_KEY: 'a2V5' };

describe('addresses of Cloud Storage', () => {
  test.each<[string, Record<string, string>, object]>([
    [
      'gs://b',
      {},
      {
        bucket: 'b',
        prefix: '',
        endpoint: 'https://storage.googleapis.com',
        credentials: { from: 'default' },
      },
    ],
    ['gs://b/x/y?access_id=me&private_key_path=/k', {}, { prefix: 'x/y/', credentials: { from: 'default' } }],
    ['gs://b?anonymous=true', { GOOGLE_OAUTH_ACCESS_TOKEN: 't' }, { credentials: { from: 'nobody' } }],
    ['gs://b?access_id=-', {}, { credentials: { from: 'nobody' } }],
    ['gs://b', { GOOGLE_OAUTH_ACCESS_TOKEN: 't' }, { credentials: { from: 'token', token: 't' } }],
    [
      'gs://b',
      { GOOGLE_OAUTH_ACCESS_TOKEN: 't', GOOGLE_CREDENTIALS: '{"type":"service_account"}' },
      { credentials: { from: 'key', key: { type: 'service_account' } } },
    ],
    ['gs://b', { GOOGLE_CREDENTIALS: '' }, { credentials: { from: 'default' } }],
    [
      'gs://b',
      { STORAGE_EMULATOR_HOST: 'localhost:1234' },
      { endpoint: 'http://localhost:1234', credentials: { from: 'nobody' } },
    ],
    ['gs://b', { STORAGE_EMULATOR_HOST: 'https://h/' }, { endpoint: 'https://h' }],
    [
      'gs://b',
      { STORAGE_EMULATOR_HOST: 'h', GOOGLE_OAUTH_ACCESS_TOKEN: 't' },
      { credentials: { from: 'token', token: 't' } },
    ],
    ['gs://b', { GOOGLE_CLOUD_UNIVERSE_DOMAIN: 'u.example' }, { endpoint: 'https://storage.u.example' }],
    [
      'gs://b',
      { GOOGLE_CREDENTIALS: '{"universe_domain":"v.example"}' },
      { endpoint: 'https://storage.v.example' },
    ],
  ])('%s with %j', (url, env, expected) => {
    expect(parseGcsAddress(url, env)).toMatchObject(expected);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['gs://b?region=eu', {}, 'CAIRN-BACKEND-URL', 'unknown parameter "region"'],
    ['gs://b?anonymous=perhaps', {}, 'CAIRN-BACKEND-URL', 'parameter "anonymous" cannot be "perhaps"'],
    ['gs://', {}, 'CAIRN-BACKEND-URL', 'it does not name a bucket'],
    ['gs://me:hunter2@b', {}, 'CAIRN-BACKEND-URL', '****'],
    [
      'gs://b',
      { GOOGLE_CREDENTIALS: '/home/me/hunter2.json' },
      'CAIRN-STORE-CREDENTIALS',
      'not the content of a credentials file',
    ],
    [
      'gs://b',
      { GOOGLE_CREDENTIALS: '["hunter2"]' },
      'CAIRN-STORE-CREDENTIALS',
      'not the content of a credentials file',
    ],
  ])('%s with %j is refused', (url, env, code, summary) => {
    const thrown = thrownBy(() => parseGcsAddress(url, env));
    expect(thrown).toMatchObject({
      diagnostics: [{ code, summary: expect.stringContaining(summary) as unknown }],
    });
    expect(JSON.stringify(thrown)).not.toContain('hunter2');
  });
});

describe('addresses of Azure', () => {
  test.each<[string, Record<string, string>, object]>([
    [
      'azblob://c/p',
      keyed,
      {
        container: 'c',
        prefix: 'p/',
        service: 'https://acc.blob.core.windows.net',
        credentials: { from: 'key', account: 'acc', key: 'a2V5' },
      },
    ],
    [
      'azblob://c?storage_account=other',
      keyed,
      { service: 'https://other.blob.core.windows.net', credentials: { account: 'other' } },
    ],
    ['azblob://c', account, { credentials: { from: 'default' } }],
    [
      'azblob://c',
      { ...account, AZURE_STORAGE_SAS_TOKEN: '?sv=1&sig=x' },
      { credentials: { from: 'sas', token: 'sv=1&sig=x' } },
    ],
    ['azblob://c', { ...keyed, AZURE_STORAGE_SAS_TOKEN: 'sig=x' }, { credentials: { from: 'key' } }],
    [
      'azblob://c?domain=blob.core.chinacloudapi.cn',
      keyed,
      { service: 'https://acc.blob.core.chinacloudapi.cn' },
    ],
    ['azblob://c?domain=files.example&cdn=true', keyed, { service: 'https://files.example' }],
    ['azblob://c?domain=h:1&protocol=http&localemu=true', keyed, { service: 'http://h:1/acc' }],
    ['azblob://c?domain=127.0.0.1:1&protocol=http', keyed, { service: 'http://127.0.0.1:1/acc' }],
    ['azblob://c?domain=localhost:1&protocol=http', keyed, { service: 'http://localhost:1/acc' }],
    [
      'azblob://c',
      {
        ...keyed,
        AZURE_STORAGE_DOMAIN: 'h',
        AZURE_STORAGE_PROTOCOL: 'http',
        AZURE_STORAGE_IS_LOCAL_EMULATOR: 'true',
      },
      { service: 'http://h/acc' },
    ],
    [
      'azblob://c?cdn=false',
      { ...keyed, AZURE_STORAGE_DOMAIN: 'h', AZURE_STORAGE_IS_CDN: 'true' },
      { service: 'https://acc.h' },
    ],
    [
      'azblob://c',
      {
        AZURE_STORAGE_CONNECTION_STRING:
          'DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=a2V5==;EndpointSuffix=core.windows.net',
      },
      {
        service: 'https://acc.blob.core.windows.net',
        credentials: { from: 'key', account: 'acc', key: 'a2V5==' },
      },
    ],
    [
      'azblob://c',
      {
        AZURE_STORAGE_CONNECTION_STRING: 'BlobEndpoint=https://b.example/;SharedAccessSignature=?sv=1&sig=x',
      },
      { service: 'https://b.example', credentials: { from: 'sas', token: 'sv=1&sig=x' } },
    ],
    [
      'azblob://c',
      { AZURE_STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true' },
      { service: 'http://127.0.0.1:10000/devstoreaccount1', credentials: { account: 'devstoreaccount1' } },
    ],
    [
      'azblob://c',
      { ...keyed, AZURE_STORAGE_CONNECTION_STRING: 'AccountName=x;AccountKey=y' },
      { credentials: { account: 'acc' } },
    ],
  ])('%s with %j', (url, env, expected) => {
    expect(parseAzureAddress(url, env)).toMatchObject(expected);
  });

  test.each<[string, Record<string, string>, string, string]>([
    ['azblob://c?region=eu', keyed, 'CAIRN-BACKEND-URL', 'unknown parameter "region"'],
    ['azblob://c?sas_token=hunter2', keyed, 'CAIRN-BACKEND-URL', 'unknown parameter "sas_token"'],
    ['azblob://c?protocol=ftp', keyed, 'CAIRN-BACKEND-URL', 'parameter "protocol" cannot be "ftp"'],
    [
      'azblob://c',
      { ...keyed, AZURE_STORAGE_PROTOCOL: 'ftp' },
      'CAIRN-BACKEND-URL',
      'AZURE_STORAGE_PROTOCOL',
    ],
    [
      'azblob://c',
      { AZURE_STORAGE_KEY: 'hunter2' },
      'CAIRN-STORE-CREDENTIALS',
      'no storage account is named',
    ],
    ['azblob://c', {}, 'CAIRN-STORE-CREDENTIALS', 'no storage account is named'],
    [
      'azblob://c?storage_account=one',
      { AZURE_STORAGE_CONNECTION_STRING: 'AccountName=two;AccountKey=hunter2' },
      'CAIRN-BACKEND-URL',
      'it means storage account "one"',
    ],
    [
      'azblob://c',
      { AZURE_STORAGE_CONNECTION_STRING: 'AccountKey=hunter2' },
      'CAIRN-STORE-CREDENTIALS',
      'incomplete',
    ],
    ['azblob://c', { AZURE_STORAGE_CONNECTION_STRING: 'hunter2' }, 'CAIRN-STORE-CREDENTIALS', 'incomplete'],
  ])('%s with %j is refused', (url, env, code, summary) => {
    const thrown = thrownBy(() => parseAzureAddress(url, env));
    expect(thrown).toMatchObject({
      diagnostics: [{ code, summary: expect.stringContaining(summary) as unknown }],
    });
    expect(JSON.stringify(thrown)).not.toContain('hunter2');
  });

  test('what must not be shown: the key, the token, its signature in both spellings', () => {
    expect(azureSecrets({ from: 'key', account: 'a', key: 'k' })).toEqual(['k']);
    expect(azureSecrets({ from: 'sas', token: 'sv=1&sig=a%2Fb%3D' })).toEqual([
      'sv=1&sig=a%2Fb%3D',
      'a/b=',
      'a%2Fb%3D',
    ]);
    expect(azureSecrets({ from: 'default' })).toEqual([]);
  });
});

describe('addresses as they are shown', () => {
  test.each([
    ['s3://me:hunter2@b/x', 's3://****:****@b/x'],
    ['azblob://c?sv=1&sig=hunter2&sp=r', 'azblob://c?sv=1&sig=****&sp=r'],
    ['azblob://c?sas_token=hunter2', 'azblob://c?sas_token=****'],
    ['s3://b?kmskeyid=alias/k&profile=p', 's3://b?kmskeyid=alias/k&profile=p'],
    ['gs://b?private_key_path=/k', 'gs://b?private_key_path=/k'],
  ])('%s is shown as %s', (url, shown) => {
    expect(maskedUrl(url)).toBe(shown);
  });
});

describe('proxies', () => {
  const proxy = { HTTPS_PROXY: 'http://p:1', HTTP_PROXY: 'http://q:2' };
  test.each<[string, Record<string, string>, string | undefined]>([
    ['https://storage.googleapis.com', {}, undefined],
    ['https://storage.googleapis.com', proxy, 'http://p:1'],
    ['http://host', proxy, 'http://q:2'],
    ['https://host', { ...proxy, https_proxy: 'http://lower' }, 'http://lower'],
    ['http://127.0.0.1:80', proxy, undefined],
    ['http://localhost', proxy, undefined],
    ['https://a.b.example', { ...proxy, NO_PROXY: 'x, b.example' }, undefined],
    ['https://a.b.example', { ...proxy, NO_PROXY: '.b.example' }, undefined],
    ['https://ab.example', { ...proxy, NO_PROXY: 'b.example' }, 'http://p:1'],
    ['https://h:8443', { ...proxy, NO_PROXY: 'h:8443' }, undefined],
    ['https://h:8443', { ...proxy, NO_PROXY: 'h:1' }, 'http://p:1'],
    ['https://h', { ...proxy, no_proxy: '*' }, undefined],
  ])('%s with %j goes through %s', (url, env, expected) => {
    expect(proxyFor(url, env)).toBe(expected);
  });
});

describe('requests without a whole answer', () => {
  test.each<[string, object, string, boolean]>([
    ['fetch failed', { cause: { message: 'connect', code: 'ECONNREFUSED' } }, 'unavailable', true],
    ['x', { code: 'EAI_AGAIN' }, 'unavailable', true],
    ['other side closed', { code: 'UND_ERR_SOCKET' }, 'unavailable', true],
    ['Error reading response as text: aborted', { code: 'PARSE_ERROR' }, 'unavailable', true],
    ['x', { code: 'UND_ERR_HEADERS_TIMEOUT' }, 'timeout', true],
    ['The operation was aborted.', { name: 'AbortError' }, 'timeout', true],
    ['x', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'protocol', false],
    ['x', { code: 'CERT_HAS_EXPIRED' }, 'protocol', false],
  ])('%s with %j', (message, more, kind, retryable) => {
    const failure = networkFailure(Object.assign(new Error(message), more));
    expect([failure.kind, failure.retryable]).toEqual([kind, retryable]);
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('it was not refused');
}
