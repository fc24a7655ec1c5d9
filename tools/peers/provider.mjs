// The provider that the programs under ./cases use, on the bare protocol, so that it behaves alike under every engine:
// each request is a line of the file in PEERS_CALLS, and its answers about the world are in the file in PEERS_WORLD.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import process from 'node:process';
import { call, construct } from './component.mjs';

const load = createRequire(import.meta.url);
const grpc = load('@grpc/grpc-js');
const messages = load('@pulumi/pulumi/proto/provider_pb.js');
const { PluginInfo } = load('@pulumi/pulumi/proto/plugin_pb.js');
const { ErrorResourceInitFailed } = messages;
const { ResourceProviderService } = load('@pulumi/pulumi/proto/provider_grpc_pb.js');
const { Struct } = load('google-protobuf/google/protobuf/struct_pb.js');
const { Empty } = load('google-protobuf/google/protobuf/empty_pb.js');
const { Any } = load('google-protobuf/google/protobuf/any_pb.js');
const { Status } = load('@pulumi/pulumi/proto/status_pb.js');
const views = load('@pulumi/pulumi/proto/resource_status_pb.js');
const { ResourceStatusClient } = load('@pulumi/pulumi/proto/resource_status_grpc_pb.js');

const SECRET = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' };
const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
/** Inputs whose change needs a new object: made before the old one is deleted, and after. */
const REPLACES = ['fixed', 'pinned'];

/** A message as data: structures as objects, empty fields left out. */
function plain(message) {
  if (message instanceof Struct) return message.toJavaScript();
  if (Array.isArray(message)) return message.map(plain);
  if (message instanceof Uint8Array) return Buffer.from(message).toString('base64');
  if (typeof message !== 'object' || message === null) return message;
  if (typeof message.toObject !== 'function') return message;
  if (typeof message.getEntryList === 'function')
    return Object.fromEntries(message.getEntryList().map(([key, value]) => [key, plainEntry(value)]));
  const fields = {};
  for (const name of Object.keys(message.constructor.toObject(false, message))) {
    const field = name.replace(/(List|Map)$/, '');
    const getter = `get${name[0].toUpperCase()}${name.slice(1)}`;
    if (typeof message[getter] !== 'function') continue;
    const value = plain(message[getter]());
    const empty =
      value === undefined ||
      value === '' ||
      value === false ||
      value === 0 ||
      (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
    if (!empty) fields[field] = value;
  }
  return fields;
}

/** An entry of a map field: a value, or a message as the array that holds its fields. */
function plainEntry(value) {
  return Array.isArray(value) ? value.flat(Infinity).filter((item) => item !== null) : value;
}

const world = () => {
  const file = process.env.PEERS_WORLD ?? '';
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};
const unwrap = (value) =>
  value?.value !== undefined && Object.keys(value).length === 2 ? value.value : value;
const struct = (value) => (value === undefined ? undefined : Struct.fromJavaScript(value));
const nameOf = (urn) => urn.slice(urn.lastIndexOf('::') + 2);
const differs = (a, b) => JSON.stringify(a) !== JSON.stringify(b);

/** Returns the outputs of an object with these inputs. */
function outputsOf(inputs, preview) {
  const outputs = { ...inputs };
  if (inputs.size !== undefined || inputs.label !== undefined)
    outputs.computed = preview ? UNKNOWN : `computed of ${unwrap(inputs.label) ?? ''}`;
  if (inputs.token !== undefined)
    outputs.sealed = preview ? UNKNOWN : { ...SECRET, value: `sealed ${unwrap(inputs.token)}` };
  return outputs;
}

function failed(text, id, inputs, properties) {
  const detail = new ErrorResourceInitFailed();
  detail.setId(id);
  detail.setProperties(struct(properties));
  detail.setInputs(struct(inputs));
  detail.setReasonsList([text]);
  const any = new Any();
  any.pack(detail.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const status = new Status();
  status.setCode(grpc.status.UNKNOWN);
  status.setMessage(text);
  status.addDetails(any);
  const metadata = new grpc.Metadata();
  metadata.add('grpc-status-details-bin', Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: text, metadata };
}

/**
 * Publishes steps of the object's part, a view below `probe:index:Viewed`: `[kind, part before, part after, error]`.
 */
async function publishParts(request, steps) {
  if (!request.getUrn().includes(':Viewed::')) return;
  const published = new views.PublishViewStepsRequest();
  published.setToken(request.getResourceStatusToken());
  published.setStepsList(steps.map(partStep));
  const client = new ResourceStatusClient(
    request.getResourceStatusAddress(),
    grpc.credentials.createInsecure(),
  );
  await new Promise((resolve, reject) =>
    client.publishViewSteps(published, (error) => (error === null ? resolve() : reject(error))),
  );
  client.close();
}

function partStep([op, old, now, error]) {
  const step = new views.ViewStep();
  step.setOp(views.ViewStep.Op[op]);
  step.setType('probe:index:Part');
  step.setName('part');
  step.setOld(partOf(old));
  step.setNew(partOf(now));
  if (error !== undefined) {
    step.setStatus(views.ViewStep.Status.UNKNOWN);
    step.setError(`said: the part ${unwrap(error)}`);
  }
  return step;
}

function partOf(properties) {
  if (properties === undefined) return undefined;
  const state = new views.ViewStepState();
  state.setType('probe:index:Part');
  state.setName('part');
  state.setInputs(struct({ of: unwrap(properties.size) }));
  state.setOutputs(struct({ of: unwrap(properties.size) }));
  return state;
}

const refuse = (text) => {
  throw { code: grpc.status.UNKNOWN, details: text };
};

const methods = {
  handshake() {
    const answer = new messages.ProviderHandshakeResponse();
    answer.setAcceptSecrets(true);
    answer.setAcceptResources(true);
    answer.setAcceptOutputs(false);
    answer.setSupportsAutonamingConfiguration(true);
    return answer;
  },
  configure() {
    const answer = new messages.ConfigureResponse();
    answer.setAcceptsecrets(true);
    answer.setSupportspreview(true);
    answer.setAcceptresources(true);
    answer.setSupportsAutonamingConfiguration(true);
    return answer;
  },
  getPluginInfo() {
    const answer = new PluginInfo();
    answer.setVersion('1.2.3');
    return answer;
  },
  getSchema() {
    const answer = new messages.GetSchemaResponse();
    const properties = { label: { type: 'string' }, size: { type: 'number' } };
    answer.setSchema(
      JSON.stringify({
        name: 'probe',
        version: '1.2.3',
        resources: { 'probe:index:Thing': { properties, inputProperties: properties } },
      }),
    );
    return answer;
  },
  checkConfig: (request) => checked(request.getNews()),
  diffConfig(request) {
    const [olds, news] = [request.getOldInputs().toJavaScript(), request.getNews().toJavaScript()];
    const answer = new messages.DiffResponse();
    const keys = Object.keys({ ...olds, ...news }).filter((key) => differs(olds[key], news[key]));
    answer.setChanges(keys.length > 0 ? 2 : 1);
    answer.setDiffsList(keys);
    if (keys.includes('region')) answer.setReplacesList(['region']);
    return answer;
  },
  check(request) {
    const answer = checked(request.getNews());
    const news = request.getNews().toJavaScript();
    const named = request.getAutonaming()?.getProposedName();
    if (request.getUrn().includes(':Named::') && news.label === undefined && named !== undefined)
      answer.setInputs(struct({ ...news, label: named }));
    if (news.reject === undefined) return answer;
    const failure = new messages.CheckFailure();
    failure.setProperty('reject');
    failure.setReason(`said: ${unwrap(news.reject)}`);
    answer.addFailures(failure);
    return answer;
  },
  diff(request) {
    const [olds, news] = [request.getOldInputs().toJavaScript(), request.getNews().toJavaScript()];
    const ignored = request.getIgnorechangesList();
    const keys = Object.keys({ ...olds, ...news })
      .filter((key) => !ignored.includes(key) && differs(olds[key], news[key]))
      .sort();
    const replaces = keys.filter((key) => REPLACES.includes(key));
    const answer = new messages.DiffResponse();
    answer.setChanges(keys.length > 0 ? 2 : 1);
    answer.setDiffsList(keys);
    answer.setReplacesList(replaces);
    answer.setDeletebeforereplace(replaces.includes('pinned'));
    if (!request.getUrn().includes(':Detailed::')) return answer;
    answer.setHasdetaileddiff(true);
    for (const key of keys) {
      const one = new messages.PropertyDiff();
      const base = olds[key] === undefined ? 0 : news[key] === undefined ? 2 : 4;
      one.setKind(base + (replaces.includes(key) ? 1 : 0));
      one.setInputdiff(true);
      answer.getDetaileddiffMap().set(key, one);
    }
    return answer;
  },
  async create(request) {
    const inputs = request.getProperties().toJavaScript();
    const answer = new messages.CreateResponse();
    const id = `${nameOf(request.getUrn())}-${unwrap(inputs.fixed) ?? 0}-${unwrap(inputs.pinned) ?? 0}`;
    const outputs = outputsOf(inputs, request.getPreview());
    if (!request.getPreview() && inputs.failCreate !== undefined)
      refuse(`said: ${unwrap(inputs.failCreate)}`);
    if (!request.getPreview() && inputs.partly !== undefined)
      throw failed(`said: ${unwrap(inputs.partly)}`, id, inputs, outputs);
    if (!request.getPreview()) answer.setId(id);
    if (!request.getPreview()) await publishParts(request, [['CREATE', undefined, inputs]]);
    answer.setProperties(struct(outputs));
    return answer;
  },
  read(request) {
    const id = request.getId();
    const found = world()[id];
    const answer = new messages.ReadResponse();
    if (found === null) return answer;
    if (found?.fail !== undefined) refuse(`said: ${found.fail}`);
    answer.setId(found?.id ?? id);
    answer.setProperties(struct({ ...request.getProperties()?.toJavaScript(), ...found?.outputs }));
    answer.setInputs(struct({ ...request.getInputs()?.toJavaScript(), ...found?.inputs }));
    return answer;
  },
  async update(request) {
    const inputs = request.getNews().toJavaScript();
    const olds = request.getOldInputs().toJavaScript();
    const outputs = outputsOf(inputs, request.getPreview());
    if (!request.getPreview() && inputs.failUpdate !== undefined)
      refuse(`said: ${unwrap(inputs.failUpdate)}`);
    if (!request.getPreview() && inputs.partly !== undefined)
      throw failed(`said: ${unwrap(inputs.partly)}`, request.getId(), inputs, outputs);
    if (!request.getPreview())
      await publishParts(request, [
        ['CREATE_REPLACEMENT', olds, inputs],
        ['REPLACE', olds, inputs],
        ['DELETE_REPLACED', olds, undefined, inputs.failPart],
      ]);
    const answer = new messages.UpdateResponse();
    answer.setProperties(struct(outputs));
    return answer;
  },
  async delete(request) {
    const outputs = request.getProperties().toJavaScript();
    await publishParts(request, [['DELETE', outputs, undefined, outputs.failPart]]);
    if (outputs.failDelete !== undefined) refuse('said: it cannot be deleted');
    return new Empty();
  },
  invoke(request) {
    const args = request.getArgs().toJavaScript();
    const answer = new messages.InvokeResponse();
    if (args.fail !== undefined) refuse(`said: ${unwrap(args.fail)}`);
    answer.setReturn(struct({ heard: args, tok: request.getTok() }));
    return answer;
  },
  construct,
  call,
  cancel: () => new Empty(),
};

function checked(news) {
  const answer = new messages.CheckResponse();
  answer.setInputs(news);
  return answer;
}

const implementation = {};
for (const name of Object.keys(ResourceProviderService)) {
  implementation[name] = async (call, answer) => {
    const request = call.request === undefined ? {} : plain(call.request);
    appendFileSync(process.env.PEERS_CALLS, `${JSON.stringify({ method: name, ...request })}\n`);
    const method = methods[name];
    if (method === undefined) return answer({ code: grpc.status.UNIMPLEMENTED, details: `no ${name}` });
    try {
      answer(null, await method(call.request));
    } catch (error) {
      answer(error.code === undefined ? { code: grpc.status.UNKNOWN, details: String(error) } : error);
    }
  };
}

const server = new grpc.Server({ 'grpc.max_receive_message_length': -1 });
server.addService(ResourceProviderService, implementation);
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
