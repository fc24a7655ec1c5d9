// The component of the provider that the cases use: `probe:index:Made`, on the bare protocol. Its registrations name
// their place in its own source, and pass on the place where the program has asked for it.
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const load = createRequire(import.meta.url);
const grpc = load('@grpc/grpc-js');
const messages = load('@pulumi/pulumi/proto/provider_pb.js');
const resources = load('@pulumi/pulumi/proto/resource_pb.js');
const { ResourceMonitorClient } = load('@pulumi/pulumi/proto/resource_grpc_pb.js');
const { SourcePosition, StackFrame, StackTrace } = load('@pulumi/pulumi/proto/source_pb.js');
const { Struct } = load('google-protobuf/google/protobuf/struct_pb.js');

/** Makes the component with a resource in it. */
export async function construct(request) {
  return withMonitor(request, async (register, finish) => {
    const urn = await register(request.getType(), request.getName(), { parent: request.getParent() }, 3);
    const inside = await register(
      'probe:index:Thing',
      `${request.getName()}-inside`,
      { parent: urn, custom: true },
      5,
    );
    await finish(urn, { inside });
    const answer = new messages.ConstructResponse();
    answer.setUrn(urn);
    answer.setState(Struct.fromJavaScript({ inside }));
    return answer;
  });
}

/** A method of the component: it adds a resource to it. */
export async function call(request) {
  const self = request.getArgs().toJavaScript().__self__;
  const parent = typeof self === 'string' ? self : self.urn;
  return withMonitor(request, async (register) => {
    const grown = await register('probe:index:Thing', 'grown', { parent, custom: true }, 9);
    const answer = new messages.CallResponse();
    answer.setReturn(Struct.fromJavaScript({ grown }));
    return answer;
  });
}

async function withMonitor(request, work) {
  const monitor = new ResourceMonitorClient(request.getMonitorendpoint(), grpc.credentials.createInsecure());
  const ask = (method, message) =>
    new Promise((resolve, reject) =>
      monitor[method](message, (error, answer) => (error === null ? resolve(answer) : reject(error))),
    );
  const register = async (type, name, { parent, custom = false }, line) => {
    const message = new resources.RegisterResourceRequest();
    message.setType(type);
    message.setName(name);
    message.setParent(parent);
    message.setCustom(custom);
    message.setObject(Struct.fromJavaScript({}));
    message.setAcceptsecrets(true);
    message.setSupportsresultreporting(true);
    message.setSourceposition(position(line));
    message.setStacktrace(trace(line, 1));
    message.setParentstacktracehandle(request.getStackTraceHandle());
    return (await ask('registerResource', message)).getUrn();
  };
  const finish = (urn, outputs) => {
    const message = new resources.RegisterResourceOutputsRequest();
    message.setUrn(urn);
    message.setOutputs(Struct.fromJavaScript(outputs));
    return ask('registerResourceOutputs', message);
  };
  try {
    return await work(register, finish);
  } finally {
    monitor.close();
  }
}

/** Returns a line of a source in the project. */
function position(line) {
  const place = new SourcePosition();
  place.setUri(pathToFileURL(path.join(process.cwd(), 'made.src')).href);
  place.setLine(line);
  return place;
}

function trace(...lines) {
  const whole = new StackTrace();
  whole.setFramesList(
    lines.map((line) => {
      const frame = new StackFrame();
      frame.setPc(position(line));
      return frame;
    }),
  );
  return whole;
}
