import { isCairnError } from '@cairn/diagnostics';
import { parseProvider, parseResource, providerText, resourceAddressText } from './address.js';
import { readState } from './read-state.js';
import { writeState } from './write-state.js';

const read = (text: string) => readState(Buffer.from(text), 'x.tfstate');

/** A state with everything that a state can contain, in Terraform's format. */
const FULL = `{
  "version": 4,
  "terraform_version": "1.11.4",
  "serial": 18446744073709551615,
  "lineage": "7e81c194-4e88-9488-036b-280e50afcb8a",
  "outputs": {
    "10": {
      "value": 123456789012345678901234567890,
      "type": "number"
    },
    "2": {
      "value": {
        "a": 0.10,
        "b": []
      },
      "type": [
        "object",
        {
          "a": "number",
          "b": [
            "list",
            "string"
          ]
        }
      ],
      "sensitive": true
    }
  },
  "resources": [
    {
      "mode": "data",
      "type": "file_text",
      "name": "d",
      "provider": "provider[\\"registry.terraform.io/acme/file\\"]",
      "instances": [
        {
          "schema_version": 0,
          "attributes": {
            "id": "\\u003c\\u0026\\u003e\\u2028\\b\\f\\u0001é"
          },
          "sensitive_attributes": []
        }
      ]
    },
    {
      "mode": "managed",
      "type": "file_text",
      "name": "n",
      "provider": "provider[\\"registry.terraform.io/acme/file\\"].two",
      "instances": [
        {
          "index_key": 2,
          "schema_version": 1,
          "attributes": {
            "10": null,
            "2": 1e400,
            "any": {
              "value": 1,
              "type": "number"
            }
          },
          "sensitive_attributes": [
            [
              {
                "type": "get_attr",
                "value": "any"
              },
              {
                "type": "index",
                "value": {
                  "value": "p",
                  "type": "string"
                }
              }
            ]
          ],
          "identity_schema_version": 0,
          "identity": {
            "name": "x"
          },
          "private": "AAEC",
          "dependencies": [
            "module.m.file_text.k"
          ],
          "create_before_destroy": true
        },
        {
          "index_key": 10,
          "status": "tainted",
          "schema_version": 1,
          "attributes": {}
        },
        {
          "index_key": 10,
          "deposed": "0011aaff",
          "schema_version": 1,
          "attributes": {},
          "sensitive_attributes": []
        }
      ]
    },
    {
      "module": "module.m[\\"a.b\\\\\\"]\\"].module.n[0]",
      "mode": "managed",
      "type": "file_text",
      "name": "k",
      "provider": "module.m.provider[\\"registry.terraform.io/acme/file\\"]",
      "instances": [],
      "new_member": {
        "x": 1
      }
    }
  ],
  "check_results": null
}
`;

/** Returns a state of one resource with one instance that has these members. */
const withInstance = (instance: string, resource = '"mode":"managed","type":"t","name":"n"') =>
  `{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},"resources":[{${resource},
  "provider":"provider[\\"h/n/t\\"]","instances":[${instance}]}],"check_results":null}`;

describe('reading and writing', () => {
  test('a state is written again byte by byte [TFF-1] [TFF-3]', () => {
    expect(writeState(read(FULL))).toBe(FULL);
  });

  test('resources and instances are put in the order of Terraform [TFF-3]', () => {
    const state = read(FULL);
    const mixed = {
      ...state,
      outputs: new Map([...state.outputs].reverse()),
      resources: [...state.resources]
        .reverse()
        .map((each) => ({ ...each, instances: [...each.instances].reverse() })),
    };
    expect(writeState(mixed)).toBe(FULL);
  });

  test('what the file says of an object is there', () => {
    const { serial, resources } = read(FULL);
    expect(serial).toBe(18446744073709551615n);
    const [first, , deposed] = resources[1]?.instances ?? [];
    expect(first).toMatchObject({
      key: 2,
      tainted: false,
      deposed: '',
      schemaVersion: 1,
      createBeforeDestroy: true,
    });
    expect(first?.private).toEqual(Buffer.from([0, 1, 2]));
    expect(first?.dependencies).toEqual(['module.m.file_text.k']);
    expect(deposed).toMatchObject({ key: 10, deposed: '0011aaff' });
    expect(resources[2]?.module).toEqual([
      { name: 'm', key: 'a.b"]' },
      { name: 'n', key: 0 },
    ]);
  });
});

describe('addresses', () => {
  test.each([
    'a_b.c',
    'a_b.c-d[0]',
    'data.a_b.c["k"]',
    'module.m.a_b.c',
    'module.m["x.y\\"]\\\\\\n$${z} %%{q}"].module.n[3].data.a_b.c["é"]',
    'module.module.data.a.module',
  ])('%s is read and written', (text) => {
    const address = parseResource(text);
    expect(address).toBeDefined();
    expect(address && resourceAddressText(address)).toBe(text);
  });

  test.each([
    '',
    'a',
    'a.',
    '.a',
    'a.b.c',
    'a[0].b',
    'module.a',
    'a.b[x]',
    'a.b["k]',
    'data.a',
    'a.b[0][1]',
    'a b.c',
  ])('%j is none of a resource', (text) => expect(parseResource(text)).toBeUndefined());

  test.each([
    'provider["registry.terraform.io/hashicorp/random"]',
    'provider["registry.opentofu.org/hashicorp/aws"].by_region["eu"]',
    'module.a["k"].module.b.provider["example.com:8080/a/b"].two',
  ])('%s is read and written', (text) => {
    const address = parseProvider(text);
    expect(address && providerText(address)).toBe(text);
  });

  test.each([
    ['provider.aws', 'registry.terraform.io/-/aws', ''],
    ['module.a.provider.aws.west', 'registry.terraform.io/-/aws', 'west'],
    ['provider.terraform', 'terraform.io/builtin/terraform', ''],
  ])('%s, without a source, is read', (text, source, alias) => {
    expect(parseProvider(text)).toMatchObject({ source, alias });
  });

  test.each([
    '',
    'provider',
    'provider["a"]',
    'aprovider["h/n/t"]',
    'provider["h/n/t"].',
    'module.provider["h/n/t"]',
  ])('%j is none of a provider', (text) => expect(parseProvider(text)).toBeUndefined());
});

describe('files that are refused [TFF-2]', () => {
  const refusal = (bytes: Uint8Array | string): string => {
    try {
      readState(Buffer.from(bytes), 'x.tfstate');
    } catch (error) {
      if (!isCairnError(error)) throw error;
      const [{ code, summary, hint } = { code: '', summary: '', hint: '' }] = error.diagnostics;
      return `${code} ${summary} | ${hint ?? ''}`;
    }
    throw new Error('nothing was refused');
  };

  test.each<[string, Uint8Array | string, RegExp]>([
    ['nothing', '', /it is empty \| .*terraform state pull/],
    ['bytes', Uint8Array.of(0xff, 0xfe), /is not text in UTF-8/],
    [
      'a plan',
      Buffer.from('PK\u0003\u0004'),
      /a saved plan of Terraform, not the state \| .*terraform state pull/,
    ],
    ['compressed', Uint8Array.of(0x1f, 0x8b, 8), /compressed \| Unpack/],
    ['a configuration', 'resource "a" "b" {}', /not JSON: expected a value at character 1/],
    ['half a state', FULL.slice(0, 900), /not JSON: expected a string in double quotes at character 897/],
    ['a list', '[]', /it is not an object/],
    ['no version', '{}', /no version, so it is not a state/],
    ['version 3', '{"version": 3, "modules": []}', /format version 3, .* \| .*0\.12 and then with 1\.x/],
    ['version 5', '{"version": 5}', /format version 5, which is newer .* \| Install a newer Cairn/],
    ['version x', '{"version": "4"}', /its version is not a whole number/],
    [
      'a backend',
      '{"version": 3, "backend": {"type": "s3"}}',
      /names the backend .* \| Run `terraform state pull > pulled.tfstate`/,
    ],
    ['encrypted', '{"encrypted_data": "", "serial": 1}', /OpenTofu encrypted \| .*`tofu state pull`/],
    ['shown', '{"format_version": "1.0", "values": {}}', /the output of `terraform show -json`/],
    ['ours', '{"version": 3, "deployment": {}}', /a state of Cairn or Pulumi \| .*cairn stack import/],
    ['a member twice', '{"version": 4, "version": 4}', /"version" occurs twice at character 16/],
    ['deep values', `{"version":${'['.repeat(2000)}`, /nested too deeply/],
    ['no number', '{"version": 4, "serial": -1}', /serial is not a whole number/],
    ['resources', '{"version": 4, "serial": 1, "resources": {}}', /resources is not a list/],
    ['mode', withInstance('', '"mode":"x"'), /resources\[0\]\.mode is neither/],
    [
      'name',
      withInstance('', '"mode":"managed","type":"t","name":"a.b"'),
      /resources\[0\]\.name is not a name/,
    ],
    [
      'module',
      withInstance('', '"module":"m.a","mode":"managed","type":"t","name":"n"'),
      /resources\[0\]\.module is not the address of a module/,
    ],
    ['no attributes', withInstance('{}'), /instances\[0\] has no attributes/],
    ['flat', withInstance('{"attributes_flat":{"a":"b"}}'), /the form of Terraform 0\.11 \| .*refresh-only/],
    ['status', withInstance('{"status":"x","attributes":{}}'), /status is something other than "tainted"/],
    ['key', withInstance('{"index_key":1.5,"attributes":{}}'), /index_key is not a whole number/],
    ['private', withInstance('{"private":"?","attributes":{}}'), /private is not base64/],
    ['path', withInstance('{"sensitive_attributes":[["a"]],"attributes":{}}'), /\[0\]\[0\] is not an object/],
    [
      'step',
      withInstance('{"sensitive_attributes":[[{"type":"x"}]],"attributes":{}}'),
      /is not a step of a path/,
    ],
    ['twice', withInstance('{"attributes":{}},{"attributes":{}}'), /resources have t\.n twice/],
    [
      'an output',
      '{"version":4,"serial":1,"outputs":{"a":{"value":1}}}',
      /outputs\.a has no value, or no type/,
    ],
    [
      'a provider',
      withInstance('{"provider":"p","attributes":{}}'),
      /instances\[0\]\.provider is not the address of a provider/,
    ],
  ])('%s', (_what, bytes, message) => {
    expect(refusal(bytes)).toMatch(/^CAIRN-TERRAFORM-STATE x\.tfstate: .* \| ./);
    expect(refusal(bytes)).toMatch(message);
  });
});
