import type { Urn } from '@cairn/addresses';
import type { Diagnostic } from '@cairn/diagnostics';
import type { DeploymentContext } from '@cairn/wire';
import type { PostRegistration } from '../model/registration.js';
import type { OperationIdentity } from '../model/request.js';
import type { DefaultProviders } from '../providers/defaults.js';
import type { ProviderSource } from '../providers/provider-source.js';
import type { RegistrationIntake } from './intake.js';
import type { NamingSettings } from './naming-settings.js';
import type { KnownPackages } from './packages.js';
import type { ProjectSources } from './project-sources.js';
import type { RegisteredResources } from './resources.js';
import type { Transforms } from './transforms/registry.js';

/** What the monitor of one operation works with. */
export interface MonitorWorld {
  readonly identity: OperationIdentity;
  readonly stackUrn: Urn;
  readonly preview: boolean;
  /** The program is run to bring resources to their goals, not for a refresh or a destroy. */
  readonly appliesGoals: boolean;
  /** Relative paths of assets count from here. */
  readonly programDirectory: string;
  readonly sources: ProjectSources;
  readonly resources: RegisteredResources;
  readonly packages: KnownPackages;
  readonly providers: ProviderSource;
  readonly defaults: DefaultProviders;
  readonly naming: NamingSettings;
  readonly transforms: Transforms;
  readonly post: PostRegistration;
  /** Absent: nothing is held back. */
  readonly intake: RegistrationIntake | undefined;
  /** Runs a question to a provider, and lets the operation know how long it takes. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Tells the user something, without consequences. */
  readonly tell: (diagnostic: Diagnostic) => void;
  /** Settings that constructors and methods are given. */
  readonly context: () => DeploymentContext;
}
