import { Accounts } from '../calls/accounts.js';
import { Changes } from '../calls/changes.js';
import type { ChangeCalls } from '../calls/changes.js';
import { PreviewViews } from '../calls/console/previews.js';
import { StackViews } from '../calls/console/stack-views.js';
import { StackWatches } from '../calls/console/stack-watch.js';
import { ApprovalLinks } from '../calls/deployments/approval-links.js';
import { Agents } from '../calls/deployments/agents.js';
import { SourceLooks } from '../calls/deployments/source-looks.js';
import { Deployments } from '../calls/deployments/deployments.js';
import { DriftRuns } from '../calls/deployments/drift.js';
import { RunTokens } from '../calls/deployments/run-tokens.js';
import { Schedules } from '../calls/deployments/schedules.js';
import { Wakening } from '../calls/wakening.js';
import { HookSender } from '../calls/hook-sender.js';
import { basePath } from '@cairn/http-api';
import type { PostHook } from '@cairn/http-api/hooks';
import { IssuerKeys } from '../calls/issuer-keys.js';
import { LostStates } from '../calls/lost-states.js';
import { Queue } from '../calls/queue.js';
import { RefusedCalls } from '../calls/refused-calls.js';
import { Secrets } from '../calls/secrets.js';
import type { ServicePorts } from '../calls/service-ports.js';
import { SigningKeys } from '../calls/signing-keys.js';
import { stackOf } from '../calls/stack-names.js';
import type { PathNames } from '../calls/stack-names.js';
import { Stacks } from '../calls/stacks.js';
import { TerraformStates } from '../calls/terraform.js';
import { UpdateEnds } from '../calls/update-ends.js';
import { Updates } from '../calls/updates.js';
import type { TrustedProxies } from '../domain/trusted-proxies.js';
import type { AllHandlers } from '../routes/call.js';
import { changeHandlers } from '../routes/change-handlers.js';
import { accessHandlers } from '../routes/access-handlers.js';
import { deploymentHandlers } from '../routes/deployment-handlers.js';
import { historyHandlers } from '../routes/history-handlers.js';
import { hookHandlers } from '../routes/hook-handlers.js';
import { queueHandlers } from '../routes/queue-handlers.js';
import { handlersOf } from '../routes/handlers.js';
import { roleHandlers } from '../routes/role-handlers.js';
import { terraformHandlers } from '../routes/terraform-handlers.js';
import { passwordHandlers } from '../routes/password-handlers.js';
import { signInHandlers } from '../routes/sign-in-handlers.js';
import { tokenHandlers } from '../routes/token-handlers.js';
import type { ConsoleFiles } from '../routes/console-files.js';
import { consoleHandlers } from '../routes/console-handlers.js';
import { ConsoleStreams } from '../routes/console-stream.js';
import { mountRoutes } from '../routes/mount.js';
import type { Answered } from '../routes/answer-route.js';
import { directRoutes } from '../routes/direct-routes.js';
import type { DirectAnswers } from '../routes/direct-routes.js';
import { BodyBudget } from '../routes/read-body.js';
import { isTraced } from '../routes/request-span.js';

/** Bytes of bodies in memory at a time. */
const MOST_BYTES = 1 << 30;

/** Service without a socket. */
interface ServiceApp {
  /** Answers a request. `env` has the connection that it came by, if there is one. */
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /** Answers a request of a connection if it is one of those that updates make all the time. */
  readonly direct: DirectAnswers;
  /** Secret of the first administrator, or undefined if the store has tokens. */
  readonly setup: string | undefined;
  /** Ends the leases that have run out. */
  sweep(): Promise<void>;
  /** Makes the service not ready. Requests are answered as before. */
  end(): void;
  /** Records what is still to record, after the last request. */
  close(): Promise<void>;
}

/** Outside facilities of the service. */
interface AppPorts extends ServicePorts {
  readonly answered: (request: Answered) => void;
  readonly proxies: TrustedProxies;
  readonly files?: ConsoleFiles | undefined;
  /** Posts to webhooks. Without it another process does. */
  readonly post?: PostHook | undefined;
  /** Changes of stacks. Defaults to those that the service keeps. */
  readonly changes?: ChangeCalls | undefined;
}

/** Makes the service ready for requests, after taking up the updates that ran when it ended. */
export async function openServiceApp(ports: AppPorts): Promise<ServiceApp> {
  const accounts = new Accounts(ports);
  const url = ports.url ?? ports.signIn?.url;
  const hooks = new HookSender(ports);
  const lost = new LostStates(ports);
  const wakening = new Wakening(ports.store.signals);
  const ends = new UpdateEnds(ports, hooks, lost, wakening);
  const updates = new Updates(ports, ends);
  const stacks = new Stacks(ports, updates, ends, hooks, lost);
  const secrets = new Secrets(ports, stacks);
  const deploymentPorts = { ...ports, ends, hooks, stacks, wakening };
  const deployments = new Deployments(deploymentPorts);
  const schedules = new Schedules(deployments);
  const sources = new SourceLooks(deploymentPorts, deployments);
  const agents = new Agents(deploymentPorts, deployments, sources);
  const changes = ports.changes ?? new Changes(ports);
  const views = new StackViews(ports, { stacks, updates, changes, lost });
  const previews = new PreviewViews(ports.store, views);
  const streams = new ConsoleStreams(new StackWatches({ ...ports, changes }));
  let ending = false;
  const isReady = async (): Promise<boolean> => {
    if (ending) return false;
    return ports.store.ping().then(
      () => true,
      () => false,
    );
  };
  await ends.resume();
  const setup = await accounts.openSetup();
  const handlers: AllHandlers = {
    ...handlersOf({ accounts, stacks, secrets, updates, deployments, isReady }),
    ...historyHandlers({ store: ports.store, stacks }),
    ...terraformHandlers(new TerraformStates(ports)),
    ...changeHandlers(changes, stacks),
    ...accessHandlers({ ...ports, keys: new IssuerKeys(ports) }),
    ...roleHandlers(ports),
    ...tokenHandlers(ports),
    ...deploymentHandlers({
      ...{ deployments, agents, sources, schedules },
      tokens: new RunTokens({ ...ports, stacks, signing: new SigningKeys(ports), issuer: url }),
      links: new ApprovalLinks({ ...ports, accounts, deployments, stacks }),
      drift: new DriftRuns({ store: ports.store, stacks }),
    }),
    ...queueHandlers(new Queue(ports, wakening)),
    ...signInHandlers(ports),
    ...passwordHandlers(ports),
    ...hookHandlers(ports, stacks, hooks),
    ...consoleHandlers(ports, {
      ...{ accounts, views, stacks, secrets, streams, previews, deployments, schedules },
    }),
  };
  const refused = new RefusedCalls(ports);
  const routePorts = {
    ...{ ...ports, accounts, handlers, refused, lost, budget: new BodyBudget(MOST_BYTES) },
    traced: isTraced(),
    base: url === undefined ? '' : basePath(url),
    checkHolder: (names: PathNames, token: string) =>
      updates.checkHolder({ stack: stackOf(names), id: names['update'] ?? '', token }),
  };
  const app = mountRoutes(routePorts);
  return {
    fetch: async (request, env) => {
      const response = await app.fetch(request, env);
      hooks.flush();
      return response;
    },
    direct: directRoutes(routePorts),
    setup,
    sweep: async () => {
      await ends.sweep();
      await agents.sweep();
      await accounts.lookAtEnds();
      await refused.record({ isEnd: false });
      await lost.record();
      await hooks.sendDue();
    },
    end: () => {
      ending = true;
      streams.endAll();
    },
    close: async () => {
      await hooks.close();
      await refused.record({ isEnd: true });
      await lost.record();
    },
  };
}
